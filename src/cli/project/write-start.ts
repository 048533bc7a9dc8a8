import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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
  const outcomes: FileOutcome[] = []
  for (const file of files) {
    const path = join(folder, file.path)
    const state = await compare(path, file.text)
    outcomes.push({ path: file.path, state })
    if (state !== 'new' || isDry) continue
    await mkdir(dirname(path), { recursive: true })
    // Do not replace a new file of somebody else.
    writeUserFile(path, file.text, { isNew: true })
  }
  return outcomes
}

async function compare(path: string, text: string): Promise<FileOutcome['state']> {
  const present = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (present === undefined) return 'new'
  return present.replaceAll('\r\n', '\n') === text ? 'same' : 'other'
}

/** Adds missing entries to `package.json`. Returns the added entries and those that remain with other content. */
export function writeManifest({ folder }: Project, plan: StartPlan, isDry: boolean): ManifestEdit {
  const path = join(folder, 'package.json')
  // Read again: an install may have written it meanwhile.
  const edit = editManifest(path, readManifestText(path), plan)
  if (edit.added.length > 0 && !isDry) writeUserFile(path, edit.text)
  return edit
}
