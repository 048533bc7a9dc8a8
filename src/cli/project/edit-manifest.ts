import { applyEdits, modify } from 'jsonc-parser'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { isObject } from '../../shared/values.ts'
import type { StartPlan } from './plan-start.ts'
import { parseManifest } from './project.ts'

/** A changed `package.json`, with its additions and its differences from the plan. */
export interface ManifestEdit {
  readonly text: string
  readonly added: readonly string[]
  readonly left: readonly string[]
}

const byteOrderMark = '\uFEFF'

/**
 * Adds scripts and the folder of the worker script to the text of a `package.json`. Every other byte stays as it is.
 *
 * @param path names the file in errors.
 * @throws UnderstudyError if the file has an unusual structure.
 */
export function editManifest(
  path: string,
  source: string,
  { scripts, workerDirectory }: Pick<StartPlan, 'scripts' | 'workerDirectory'>,
): ManifestEdit {
  const before = parseManifest(path, source)
  for (const key of ['scripts', 'msw'] as const)
    if (before[key] !== undefined && !isObject(before[key]))
      throw unusual(path, `the value of "${key}" is not an object`)
  const known = before.scripts ?? {}
  const names = Object.keys(scripts)
  const missing = names.filter((name) => known[name] === undefined)
  const start = source.startsWith(byteOrderMark) ? byteOrderMark : ''
  let text = source.slice(start.length)
  for (const name of missing) text = insert(text, ['scripts', name], scripts[name])
  if (workerDirectory !== undefined) text = insert(text, ['msw', 'workerDirectory'], [workerDirectory])
  const after = parseManifest(path, text)
  // JSON.parse reads the last of two equal keys, and the edit changes the first.
  if (missing.some((name) => after.scripts?.[name] !== scripts[name]) || !hasFolder(after, workerDirectory))
    throw unusual(path, 'it has the same key twice')
  return {
    text: start + text,
    added: [
      ...missing.map((name) => `the script ${name}`),
      ...(workerDirectory === undefined ? [] : ['msw.workerDirectory']),
    ],
    left: names
      .filter((name) => !missing.includes(name) && known[name] !== scripts[name])
      .map((name) => `the script ${name}`),
  }
}

function insert(text: string, path: string[], value: unknown): string {
  const [, indentation = '  '] = /^\{\r?\n([ \t]+)/.exec(text) ?? []
  const formattingOptions = {
    insertSpaces: !indentation.startsWith('\t'),
    tabSize: indentation.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
  return applyEdits(text, modify(text, path, value, { formattingOptions }))
}

function hasFolder({ msw }: ReturnType<typeof parseManifest>, folder: string | undefined): boolean {
  return folder === undefined || [msw?.workerDirectory ?? []].flat().includes(folder)
}

function unusual(path: string, problem: string): UnderstudyError {
  return new UnderstudyError(
    'ARGUMENT_INVALID',
    `Cannot add to ${path}: ${problem}. Correct the file, then run init again.`,
  )
}
