import { readFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeUserFile } from '../../files/write-file.ts'
import { editManifest, type ManifestEdit } from './edit-manifest.ts'
import type { PlannedFile, StartPlan } from './plan-start.ts'
import type { Project } from './project.ts'

/** Comparison of a planned file with the existing one. */
export type FileState = 'new' | 'same' | 'other'

/** The result for a planned file. */
export interface FileOutcome {
  readonly path: string
  readonly state: FileState
  readonly isWritten: boolean
}

/** Compares a planned file with the existing one. */
async function compare(folder: string, { path, text }: PlannedFile): Promise<FileState> {
  const there = await readFile(join(folder, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (there === undefined) return 'new'
  return there.replaceAll('\r\n', '\n') === text ? 'same' : 'other'
}

/**
 * Writes the planned files. A file with other content remains unless `mayReplace` allows replacing it.
 *
 * @param isDry If true, nothing is written.
 */
export async function writeFiles(
  folder: string,
  files: readonly PlannedFile[],
  mayReplace: (path: string) => Promise<boolean>,
  isDry: boolean,
): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = []
  for (const file of files) {
    const state = await compare(folder, file)
    const isWritten = state === 'new' || (state === 'other' && (await mayReplace(file.path)))
    outcomes.push({ path: file.path, state, isWritten })
    if (!isWritten || isDry) continue
    const path = join(folder, file.path)
    await mkdir(dirname(path), { recursive: true })
    // Do not replace a new file of somebody else.
    writeUserFile(path, file.text, { isNew: state === 'new' })
  }
  return outcomes
}

/**
 * Adds missing entries to `package.json`. Returns the added entries and those that remain with other content.
 */
export function writeManifest({ folder }: Project, plan: StartPlan, isDry: boolean): ManifestEdit {
  const path = join(folder, 'package.json')
  // Read again: an install may have written it meanwhile.
  const edit = editManifest(path, readFileSync(path, 'utf8'), plan)
  if (edit.added.length > 0 && !isDry) writeUserFile(path, edit.text)
  return edit
}
