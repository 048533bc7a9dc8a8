// Checks the prose of the repository and the subjects of new commits against prose/terms.json and the rules in prose/rules.mjs:
// npm run prose [-- <paths>] [-- --warnings] [-- --widen]
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { trackedFiles } from './measure/files.mjs'
import { readProse } from './prose/read-prose.mjs'
import { checkBlock, checkSubject } from './prose/rules.mjs'

/** Commits before this time do not follow the rules. */
const firstCommit = '2026-11-25T21:56:00Z'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: join(import.meta.dirname, '..') },
    /** Prints warnings, too. */
    warnings: { type: 'boolean', default: false },
    /** Adds every path without an error to the list of clean paths. */
    widen: { type: 'boolean', default: false },
  },
})
const list = join(flags.root, 'lab/prose/clean.json')
const isGenerated =
  /^(docs\/(reference|spec)\/|docs\/works-with\.md|examples\/|fixtures\/|tools\/|lab\/bench\/)/
const files = trackedFiles(flags.root).filter(
  (path) => /\.(md|css|tsx?|mjs)$/.test(path) && !isGenerated.test(path) && !path.includes('/templates/'),
)
const covers = (entry, path) => path === entry || path.startsWith(`${entry}/`)

if (flags.widen) widen()
else check()

function check() {
  const clean = positionals.length > 0 ? positionals : JSON.parse(readFileSync(list, 'utf8'))
  const missing = clean.filter((entry) => !files.some((path) => covers(entry, path)))
  const findings = files.filter((path) => clean.some((entry) => covers(entry, path))).flatMap(findingsIn)
  const errors = findings.filter(({ level }) => level === 'error')
  for (const { path, line, level, message } of flags.warnings ? findings : errors)
    console.log(`${path}:${line}: ${level}: ${message}`)
  for (const entry of missing)
    console.log(`${entry}: not found. To update the list, run: npm run prose -- --widen`)
  const subjects = newSubjects().map(checkSubject).filter(Boolean)
  for (const problem of subjects) console.log(`Commit subject: ${problem}`)
  const failures = errors.length + subjects.length
  console.log(`Prose: ${failures} errors, ${findings.length - errors.length} warnings.`)
  process.exitCode = failures === 0 ? 0 : 1
}

function findingsIn(path) {
  const blocks = readProse(path, readFileSync(join(flags.root, path), 'utf8'))
  return blocks.flatMap((block) => checkBlock(path, block))
}

/** Returns the subjects of new commits; none outside of a git repository or in a shallow clone. */
function newSubjects() {
  const git = (...parameters) =>
    execFileSync('git', parameters, {
      cwd: flags.root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true') return []
    return git('log', '--no-merges', `--since=${firstCommit}`, '--format=%s').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

/** Writes the whole list: a folder where every file below it is clean, single files otherwise. */
function widen() {
  const before = JSON.parse(readFileSync(list, 'utf8'))
  const held = (path) => before.some((entry) => covers(entry, path))
  const dirty = files.filter((path) => !held(path) && findingsIn(path).some(({ level }) => level === 'error'))
  const isClean = (folder) => folder !== '.' && !dirty.some((path) => covers(folder, path))
  const entries = files
    .filter((path) => !dirty.includes(path))
    .map((path) => {
      let entry = path
      while (isClean(dirname(entry))) entry = dirname(entry)
      return entry
    })
  const after = [...new Set(entries)].sort()
  writeFileSync(list, `${JSON.stringify(after, undefined, 2)}\n`)
  console.log(`${files.length - dirty.length} of ${files.length} files are clean.`)
}
