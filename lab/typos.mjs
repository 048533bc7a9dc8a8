// Plants each typo of typos/defects.mjs in a copy of the repository and reports what finds it: npm run typos [-- <part of a path>]
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { trackedFiles } from './measure/files.mjs'
import { defects } from './typos/defects.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const wanted = process.argv[2] ?? ''
const folder = mkdtempSync(join(tmpdir(), 'typos-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
for (const path of trackedFiles(root)) cpSync(join(root, path), join(folder, path), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

const clean = typeErrors()
if (clean !== undefined) throw new Error(`The repository does not compile: ${clean}`)
const chosen = Object.entries(defects)
  .filter(([file]) => file.includes(wanted))
  .flatMap(([file, rows]) => rows.map(([find, replace, test]) => ({ file, find, replace, test })))
const missed = chosen.filter((defect) => {
  const found = finding(defect)
  const { file, find, replace } = defect
  console.log(
    `${found === undefined ? 'MISSED' : 'found '}  ${file}: ${find} -> ${replace}\n          ${found}`,
  )
  return found === undefined
})
console.log(`\n${chosen.length - missed.length} of ${chosen.length} found.`)
process.exitCode = missed.length === 0 ? 0 : 1

/** Plants one defect and returns the first compile error or the failed test; `undefined` if nothing finds it. */
function finding({ file, find, replace, test }) {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  const changed = text.replace(find, replace)
  if (changed === text) throw new Error(`${file} does not contain ${find}.`)
  writeFileSync(path, changed)
  try {
    return typeErrors() ?? (test && failedTest(`tests/${test}.test.ts`))
  } finally {
    writeFileSync(path, text)
  }
}

function typeErrors() {
  const buildInfo = join(folder, 'types.tsbuildinfo')
  return firstLine(/error TS/, 'tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', buildInfo)
}

function failedTest(test) {
  return firstLine(/FAIL/, 'vitest', 'run', '--project', 'fast', test)
}

/** Runs a command of the repository and returns the first line of its output that matches. */
function firstLine(pattern, command, ...args) {
  const program = join(folder, 'node_modules/.bin', command)
  const { stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  const line = `${stdout}${stderr}`.split('\n').find((each) => pattern.test(each))
  return line && stripVTControlCharacters(line).trim().slice(0, 200)
}
