// Tries the packed package with the oldest and the newest peers that its manifest takes, each in an empty folder:
// handlers, server, runner and types. Run after a build: `node scripts/peer-ends.mjs [oldest|newest]`.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { satisfies } from 'semver'
import { matureOnly } from './lib/mature-only.mjs'

const root = join(import.meta.dirname, '..')
const programs = join(import.meta.dirname, 'peer-ends')
const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The peers of each end, and types that they do not bring. */
const ends = {
  oldest: {
    peers: {
      '@playwright/test': '1.50.0',
      express: '4.18.0',
      msw: '2.0.0',
      supertest: '6.0.0',
      'swagger-ui-dist': '5.0.0',
      vite: '5.0.0',
      vitest: '3.0.0',
    },
    types: ['@types/express@4', '@types/node@20'],
  },
  newest: {
    peers: {
      '@playwright/test': '1',
      express: '5',
      msw: '3',
      supertest: '7',
      'swagger-ui-dist': '5',
      vite: '8',
      vitest: '5',
    },
    types: ['@types/express@5', '@types/node@24'],
  },
}

/** The compilers that read the package's types, and the ways of resolving modules that are tried at each end. */
const compilers = {
  5.4: { oldest: ['bundler'], newest: ['node10', 'node16', 'nodenext', 'bundler'] },
  5.9: { oldest: [], newest: ['node10', 'nodenext'] },
  7: { oldest: ['nodenext'], newest: ['nodenext', 'bundler'] },
}

/** Whether a runtime is new enough for the newest of the peers: msw 3 and vitest 5 need Node 22.12. */
function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 12)
}

const folder = mkdtempSync(join(tmpdir(), 'understudy-peers-'))
const pnpm = join(root, 'node_modules/.bin/pnpm')
/** Laid out as npm does it, in a tenth of its time. */
const adding = [
  'add',
  '--ignore-scripts',
  '--prefer-offline',
  '--loglevel=error',
  '--config.node-linker=hoisted',
  matureOnly,
]
const failures = []
try {
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }))
  const typescripts = Object.keys(compilers).map(
    (version) => `typescript-${version}@npm:typescript@${version}`,
  )
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  execFileSync(pnpm, [...adding, ...typescripts], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (const [name, { peers, types }] of Object.entries(ends)) {
    if (process.argv[2] !== undefined && process.argv[2] !== name) continue
    const missing = Object.keys(peerDependencies).filter((peer) => peers[peer] === undefined)
    if (missing.length > 0) failures.push(`${name}: no version of ${missing.join(', ')} is tried`)
    tryEnd(name, join(folder, filename), peers, types)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (failures.length > 0) {
  console.error(failures.join('\n\n'))
  process.exitCode = 1
}

function tryEnd(name, tarball, peers, types) {
  const cwd = join(folder, name)
  cpSync(programs, cwd, { recursive: true })
  const isOld = peers.msw.startsWith('2')
  // What the page shows of version 3, which is not what this repository is developed with.
  const [, sample] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/msw.md'), 'utf8'))
  if (!isOld) writeFileSync(join(cwd, 'page.test.mjs'), sample)
  writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n')
  const wanted = Object.entries(peers).map(([peer, version]) => `${peer}@${version}`)
  // Where this runtime is too old for the newest peers, one comes as a package.
  const runtime =
    isOld || isNewEnough(process.versions.node) ? [] : [`node-${process.platform}-${process.arch}@24`]
  execFileSync(pnpm, [...adding, tarball, ...wanted, ...types, ...runtime], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const node =
    runtime.length === 0 ? process.execPath : join(cwd, 'node_modules', runtime[0].split('@')[0], 'bin/node')
  const versions = Object.keys(peers).map((peer) => {
    const manifest = JSON.parse(readFileSync(join(cwd, 'node_modules', peer, 'package.json'), 'utf8'))
    if (!satisfies(manifest.version, peerDependencies[peer]))
      failures.push(
        `${name}: the manifest takes ${peer} ${peerDependencies[peer]}, and ${manifest.version} was tried`,
      )
    return `${peer} ${manifest.version}`
  })
  const step = (what, program, args) => {
    try {
      execFileSync(node, [program, ...args], {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, MSW_MAJOR: isOld ? '2' : '3', NO_COLOR: '1' },
        stdio: 'pipe',
        timeout: 120_000,
      })
      console.log(`${name}: ${what}: right with ${versions.join(', ')}`)
    } catch ({ stdout, stderr }) {
      failures.push(`${name}: ${what} fails with ${versions.join(', ')}\n${stdout}\n${stderr}`)
    }
  }
  step('tests', join(cwd, 'node_modules/vitest/vitest.mjs'), ['run'])
  const flags = [
    '--strict',
    '--declaration',
    '--emitDeclarationOnly',
    '--outDir',
    'declared',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom,dom.iterable',
    '--exactOptionalPropertyTypes',
  ]
  const sources = readdirSync(cwd).filter((file) => file.endsWith('.mts'))
  for (const [version, tried] of Object.entries(compilers)) {
    const compiler = join(folder, 'node_modules', `typescript-${version}`, 'bin/tsc')
    for (const resolution of tried[name]) {
      const module = resolution.startsWith('node') && resolution !== 'node10' ? resolution : 'esnext'
      // Those of others are not ours to answer for; our own are looked at with what they import, and nothing else.
      step(`types by TypeScript ${version}, ${resolution}`, compiler, [
        ...flags,
        '--module',
        module,
        '--moduleResolution',
        resolution,
        '--skipLibCheck',
        '--types',
        'node',
        ...sources.filter((file) => resolution !== 'node10' || file !== 'types.mts'),
      ])
    }
  }
}
