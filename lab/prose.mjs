// Checks the prose of the repository and the subjects of new commits against prose/terms.json, prose/names.json and the rules in prose/rules.mjs:
// npm run prose [-- <paths>] [-- --warnings]. Without paths, it checks all files.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
  },
})
const isGenerated = /^(docs\/(reference|spec)\/|docs\/works-with\.md|fixtures\/|tools\/|lab\/bench\/)/
const isNamed = (path) => positionals.some((named) => path === named || path.startsWith(`${named}/`))

const findings = trackedFiles(flags.root)
  .filter(
    (path) => /\.(md|css|tsx?|mjs)$/.test(path) && !isGenerated.test(path) && !path.includes('/templates/'),
  )
  .filter((path) => positionals.length === 0 || isNamed(path))
  .flatMap(findingsIn)
const errors = findings.filter(({ level }) => level === 'error')
for (const { path, line, level, message } of flags.warnings ? findings : errors)
  console.log(`${path}:${line}: ${level}: ${message}`)
const subjects = newSubjects().map(checkSubject).filter(Boolean)
for (const problem of subjects) console.log(`Commit subject: ${problem}`)
const failures = errors.length + subjects.length
console.log(`Prose: ${failures} errors, ${findings.length - errors.length} warnings.`)
process.exitCode = failures === 0 ? 0 : 1

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
