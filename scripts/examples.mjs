// `npm run examples [-- names… --check]`: runs the tests of each folder in examples/ with the packed package,
// and writes their rows of docs/works-with.md. `--check` runs only the fast examples, with their own versions,
// and writes nothing.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { root, temporaryFolder } from '../lab/lib/processes.mjs'
import { code, table, withParts } from './lib/markdown.mjs'

const run = promisify(execFile)
const page = join(root, 'docs/works-with.md')
const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'))
/** With pnpm, an example can import only the packages that it names. */
const installation = [
  'install',
  '--prefer-offline',
  '--loglevel=error',
  // Scripts of packages run if the pnpm-workspace.yaml of an example allows them; others are no error.
  '--config.strict-dep-builds=false',
  // The tarball differs in each run, so its locked checksum is invalid.
  '--no-frozen-lockfile',
  // Versions that are four days old: CI must not fail because a registry lacks a part of a new release.
  `--config.minimum-release-age=${4 * 24 * 60}`,
]
const minutes = 6

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' } },
})
/** The number of examples at once, which mostly wait for an install or a browser. CI runs tests beside them. */
const atOnce = values.check ? 1 : 3
const all = readdirSync(join(root, 'examples'))
  .filter((name) => existsSync(join(root, 'examples', name, 'package.json')))
  .sort()
const unknown = positionals.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`There is no examples/${unknown.join(', examples/')}. There are: ${all.join(', ')}.`)
  process.exit(2)
}

const folder = temporaryFolder('examples')
const tarball = pack()
const isSlow = (name) => readJson(root, 'examples', name, 'package.json').example?.isSlow ?? false
const chosen = values.check ? all.filter((name) => !isSlow(name)) : all
const tries = (positionals.length > 0 ? positionals : chosen).flatMap(triesOf)
const results = []
const waiting = [...tries]
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results.push(await attempt(next))
  }),
)
results.sort((one, other) => tries.indexOf(one.tried) - tries.indexOf(other.tried))
const failed = results.filter(({ works }) => !works)
if (!values.check) writePage()
if (failed.length > 0) {
  console.error(`\n${failed.map(({ tried }) => nameOf(tried)).join('; ')}: failed`)
  process.exitCode = 1
}

function pack() {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
  return join(folder, filename)
}

/** Returns an example, and a copy for each other set of versions that it lists. */
function triesOf(name) {
  const manifest = readJson(root, 'examples', name, 'package.json')
  if (manifest.example === undefined)
    throw new Error(`examples/${name}/package.json says nothing under "example".`)
  const also = values.check ? [] : (manifest.example.also ?? [])
  return [{}, ...also].map((versions) => ({ name, manifest, versions }))
}

function nameOf({ name, versions }) {
  const others = Object.entries(versions).map(([what, version]) => `${what} ${version}`)
  return others.length === 0 ? name : `${name} with ${others.join(', ')}`
}

async function attempt(tried) {
  const { name, manifest, versions } = tried
  const missing = (manifest.example.programs ?? []).filter((program) => !isThere(program))
  if (missing.length > 0) {
    console.log(`${nameOf(tried)}: not tried, ${missing.join(' and ')} is not on this machine`)
    return { tried, works: true, seen: 'not tried' }
  }
  const cwd = mkdtempSync(join(folder, `${name}-`))
  const began = performance.now()
  try {
    cpSync(join(root, 'examples', name), cwd, {
      recursive: true,
      filter: (path) => !/[\\/]node_modules$/.test(path),
    })
    const env = { ...process.env, NO_COLOR: '1', CI: 'true' }
    const options = { cwd, env, timeout: minutes * 60_000, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 }
    writeManifest(cwd, manifest, versions)
    await run(join(root, 'node_modules/.bin/pnpm'), installation, options)
    await run('npm', ['test'], options)
    console.log(`${nameOf(tried)}: works, ${((performance.now() - began) / 1000).toFixed(0)} s`)
    return { tried, works: true, seen: seen(cwd, manifest, env) }
  } catch (error) {
    console.error(
      `\n${nameOf(tried)}: fails\n${error.stdout ?? ''}\n${error.stderr ?? ''}\n${error.message.split('\n')[0]}\n`,
    )
    return { tried, works: false }
  } finally {
    rmSync(cwd, { recursive: true, force: true, maxRetries: 3 })
  }
}

function isThere(program) {
  return (process.env.PATH ?? '').split(delimiter).some((path) => existsSync(join(path, program)))
}

/** Writes the versions to install; another Node is a package with a binary, which `npm test` finds first. */
function writeManifest(cwd, manifest, { node, ...versions }) {
  const changed = structuredClone(manifest)
  const given = {
    ...versions,
    ...(node !== undefined && { [`node-${process.platform}-${process.arch}`]: node }),
    'pipeline-understudy': `file:${tarball}`,
  }
  for (const [name, version] of Object.entries(given)) {
    const field = changed.dependencies?.[name] === undefined ? 'devDependencies' : 'dependencies'
    changed[field] = { ...changed[field], [name]: version }
  }
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(changed, undefined, 2))
}

/**
 * Returns the installed versions: the major version of Node and the packages of the example, or the output of
 * its own script if it is in another language.
 */
function seen(cwd, { example, scripts }, env) {
  const npm = (...args) => execFileSync('npm', args, { cwd, env, encoding: 'utf8' }).trim()
  if (scripts.versions !== undefined) return npm('run', '--silent', 'versions')
  const node = npm('exec', '-c', 'node --version').slice(1).split('.')[0]
  const packages = example.shows.map(
    (name) => `${name} ${readJson(cwd, 'node_modules', name, 'package.json').version}`,
  )
  return [...packages, `Node ${node}`].join(', ')
}

/** Writes the rows of the examples that ran. The other rows stay. */
function writePage() {
  const text = readFileSync(page, 'utf8')
  const rows = all.map((name) => {
    const written = text.split('\n').find((line) => line.includes(`| ${code(`examples/${name}`)} |`))
    if (written !== undefined && !tries.some((tried) => tried.name === name))
      return written.slice(2, -2).split(' | ')
    const own = results.filter(({ tried }) => tried.name === name)
    const lines = own.map(({ tried, works, seen }) => (works ? seen : `**fails:** ${nameOf(tried)}`))
    return [own[0].tried.manifest.example.integration, code(`examples/${name}`), lines.join('<br>')]
  })
  const versions = table(['Integration', 'Example', 'Tested versions'], rows)
  writeFileSync(page, withParts(text, 'npm run examples', { versions }))
}
