import { existsSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { readTextFile } from '../../files/read-file.ts'
import { writeUserFile } from '../../files/write-file.ts'
import { editManifest, type ManifestEdit } from './edit-manifest.ts'
import type { StartPlan } from './plan-start.ts'
import { type Project, readManifestText } from './project.ts'
import type { PlannedFile } from './templates.ts'

export interface FileOutcome {
  readonly path: string
  readonly state: 'new' | 'same' | 'other'
}

/**
 * Writes the planned files that do not exist.
 *
 * @param isDry Writes nothing if true.
 */
export async function writeFiles(
  folder: string,
  files: readonly PlannedFile[],
  isDry: boolean,
): Promise<FileOutcome[]> {
  const outcomes = files.map(({ path, text }) => ({ path, state: compare(join(folder, path), text) }))
  const missing = files.filter((_, index) => outcomes[index]?.state === 'new')
  for (const file of missing) await refuseOutside(folder, join(folder, file.path))
  if (isDry) return outcomes
  for (const file of missing) {
    const path = join(folder, file.path)
    await mkdir(dirname(path), { recursive: true })
    // Do not replace a new file of somebody else.
    writeUserFile(path, file.text, { isNew: true })
  }
  return outcomes
}

/** Throws if a symbolic link of a project leads a file out of it. A setting may do so: `"../app/public"`. */
async function refuseOutside(folder: string, path: string): Promise<void> {
  if (isOutside(folder, path)) return
  if (!isOutside(await realpath(folder), await realpathOfPresent(dirname(path)))) return
  throw new Error(
    `Cannot write ${path}: a symbolic link leads out of the project. Replace the link by a folder, and run init again.`,
  )
}

function isOutside(folder: string, path: string): boolean {
  const place = relative(folder, path)
  return place === '..' || place.startsWith(`..${sep}`) || isAbsolute(place)
}

/** Returns the real path of a folder that may not exist yet. */
async function realpathOfPresent(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch {
    return join(await realpathOfPresent(dirname(folder)), basename(folder))
  }
}

function compare(path: string, text: string): FileOutcome['state'] {
  if (!existsSync(path)) return 'new'
  return readTextFile(path).replaceAll('\r\n', '\n') === text ? 'same' : 'other'
}

/** Adds missing entries to `package.json`. Returns the added entries and those that remain with other content. */
export function writeManifest({ folder }: Project, plan: StartPlan, isDry: boolean): ManifestEdit {
  const path = join(folder, 'package.json')
  // Read again: an install may have written it meanwhile.
  const edit = editManifest(path, readManifestText(path), plan)
  if (edit.added.length > 0 && !isDry) writeUserFile(path, edit.text)
  return edit
}
