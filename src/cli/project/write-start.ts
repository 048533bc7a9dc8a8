import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addToManifest, type PlannedFile, type StartPlan } from './plan-start.ts'
import { type Project, readManifest } from './project.ts'

/** How a planned file stands to what is there. */
export type FileState = 'new' | 'same' | 'other'

/** What becomes of a file that is planned. */
export interface FileOutcome {
  readonly path: string
  readonly state: FileState
  readonly isWritten: boolean
}

/** Tells whether a file is there, and says the same. */
async function compare(folder: string, { path, text }: PlannedFile): Promise<FileState> {
  const there = await readFile(join(folder, path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (there === undefined) return 'new'
  return there.replaceAll('\r\n', '\n') === text ? 'same' : 'other'
}

/**
 * Writes what is planned. A file that says something else stays, unless `mayReplace` allows it.
 *
 * @param isDry whether nothing is written, and only told.
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
    // What has come there meanwhile is not ours to replace.
    await writeFile(path, file.text, { flag: state === 'new' ? 'wx' : 'w' })
  }
  return outcomes
}

/** Adds to `package.json` what is missing there, in its own layout; tells what was added, and what stays as it is. */
export async function writeManifest({ folder }: Project, plan: StartPlan, isDry: boolean) {
  // Read again: an install may have written it meanwhile.
  const { manifest, added, left } = addToManifest(readManifest(folder), plan)
  if (added.length > 0 && !isDry) {
    const path = join(folder, 'package.json')
    const text = await readFile(path, 'utf8')
    const indent = /^[{]\r?\n([ \t]+)/.exec(text.replace(/^\uFEFF/, ''))?.[1] ?? 2
    await writeFile(path, `${JSON.stringify(manifest, null, indent)}\n`)
  }
  return { added, left }
}
