import { connect } from 'node:net'
import { join } from 'node:path'
import satisfies from 'semver/functions/satisfies.js'
import { createUnderstudy } from '../../engine/create-understudy.ts'
import { FixtureError } from '../../factories/fixture-error.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import { findPackage } from '../../files/find-package.ts'
import { readTextFile } from '../../files/read-file.ts'
import { messageOf } from '../../shared/built-ins.ts'
import { withoutTrailingSlashes } from '../../shared/urls.ts'
import { frameworks } from '../project/frameworks.ts'
import { commandLine } from '../project/plan-start.ts'
import { type Project, readProject } from '../project/project.ts'
import { readWorkerScript, workerScriptName } from '../project/worker-script.ts'
import { type Finding, good, warning, wrong } from './finding.ts'
import { isFixture, listFiles } from './project-files.ts'
import { sendProbe } from './send-probe.ts'

export interface ProjectOptions {
  /** Values from the manifest of this package. */
  readonly own: {
    readonly engines: { readonly node: string }
    readonly peerDependencies: Readonly<Record<string, string>>
  }
  /** The version of Node that runs. */
  readonly node: string
  readonly port: number
  /** The URL of the development server. Default: the usual one of the framework. */
  readonly devServer?: string | undefined
  readonly readFixture: (path: string) => Fixture
}

/** Maximum time in which a process on this machine must answer, in milliseconds. */
const patience = 2_000

const isWithin = (version: string, range: string) => satisfies(version, range, { includePrerelease: true })

/**
 * Checks a project.
 *
 * @throws UnderstudyError where there is no project.
 */
export async function* diagnoseProject(folder: string, options: ProjectOptions): AsyncGenerator<Finding> {
  const { own, node, port, devServer, readFixture } = options
  const project = await readProject(folder)
  const files = await listFiles(folder)
  const { engines } = own
  if (isWithin(node, engines.node)) yield good('node', 'Node', node)
  else {
    const way = 'Install a newer version of Node from https://nodejs.org.'
    yield wrong('node', 'Node', { expected: engines.node, found: node, way })
  }
  // Only Yarn could find the packages, and has not started this process.
  const isHidden = project.usesPlugAndPlay && process.versions.pnp === undefined
  yield isHidden
    ? warning('package', "packages of Yarn Plug'n'Play, which were not checked", {
        expected: 'doctor started by yarn',
        found: 'started without it',
        way: 'Run `yarn pipeline-understudy doctor`.',
      })
    : checkPackage(project)
  yield* checkFramework(project)
  if (!isHidden)
    for (const [name, range] of Object.entries(own.peerDependencies))
      yield* checkPeer(project, name, range, node)
  yield* checkWorkers(project, files)
  yield* checkServedWorker(project, devServer)
  for (const path of files) if (await isFixture(folder, path)) yield* checkFixture(folder, path, readFixture)
  yield await checkPort(port)
}

function checkPackage(project: Project): Finding {
  const installed = findPackage(project.folder, 'pipeline-understudy')
  if (installed !== undefined) return good('package', 'pipeline-understudy', installed.version)
  return wrong('package', 'pipeline-understudy', {
    expected: 'installed in this project',
    found: 'nothing',
    way: `Run \`${commandLine(project, 'add', ['-D', 'pipeline-understudy'])}\`.`,
  })
}

function* checkFramework({ framework, unknownFramework }: Project): Generator<Finding> {
  if (unknownFramework !== undefined) {
    const titles = frameworks.map(({ title }) => title)
    yield warning('framework', 'framework', {
      expected: `one of ${titles.join(', ')}`,
      found: `${unknownFramework}, which doctor does not know`,
      way: 'See "Other frameworks" in node_modules/pipeline-understudy/docs/frameworks.md. Then check an address: `pipeline-understudy doctor http://localhost:PORT`.',
    })
  } else if (framework !== undefined) yield good('framework', 'framework', framework.title)
}

function* checkPeer(project: Project, name: string, range: string, node: string): Generator<Finding> {
  const { manifest, folder } = project
  const installed = findPackage(folder, name)
  const nodeRange = installed?.engines?.node
  const add = (wanted: string) => `Run \`${commandLine(project, 'add', ['-D', wanted])}\``
  if (installed === undefined) {
    const isNamed = { ...manifest.dependencies, ...manifest.devDependencies }[name] !== undefined
    if (!isNamed) return
    const way = `${add(name)}, or install what package.json names.`
    yield wrong('peers', name, {
      expected: 'installed, since package.json names it',
      found: 'nothing',
      way,
    })
  } else if (nodeRange !== undefined && !isWithin(node, nodeRange))
    yield wrong('peers', name, {
      expected: `Node ${nodeRange}, which ${name} ${installed.version} requires`,
      found: `Node ${node}`,
      way: `Install a newer Node, or an older version of ${name}.`,
    })
  else if (isWithin(installed.version, range)) yield good('peers', name, installed.version)
  else {
    const way = `${add(`${name}@latest`)}.`
    yield wrong('peers', name, { expected: range, found: installed.version, way })
  }
}

/** Reads the version and the checksum that msw writes into its script; its package and its page compare them. */
function stampsOf(script: string) {
  const [, version = 'unknown'] = /PACKAGE_VERSION = ['"]([^'"]+)/.exec(script) ?? []
  const [, checksum] = /INTEGRITY_CHECKSUM = ['"]([^'"]+)/.exec(script) ?? []
  return { version, checksum }
}

function* checkWorkers({ folder, manifest, msw }: Project, files: readonly string[]): Generator<Finding> {
  const installed = readWorkerScript(folder)
  if (installed === undefined) return
  const right = stampsOf(installed)
  const places = files.filter((path) => path.endsWith(workerScriptName))
  for (const place of [manifest.msw?.workerDirectory ?? []].flat())
    if (!places.includes(`${place}/${workerScriptName}`))
      yield wrong('worker', 'the script of msw', {
        expected: `${place}/${workerScriptName}, the folder that msw.workerDirectory in package.json names`,
        found: 'no such file',
        way: `Run \`npx msw init ${place} --save\`.`,
      })
  for (const place of places) {
    const { version, checksum } = stampsOf(readTextFile(join(folder, place)))
    if (checksum === right.checksum) yield good('worker', place, `that of msw ${msw}`)
    else
      yield wrong('worker', place, {
        expected: `the script of msw ${msw}, which is installed (its checksum is ${right.checksum})`,
        found: `that of msw ${version}`,
        way: `Run \`npx msw init ${place.slice(0, -workerScriptName.length - 1) || '.'} --save\`, and reload the page.`,
      })
  }
}

/** Compares the worker script that the development server sends, if one listens at its usual address. */
async function* checkServedWorker(
  { folder, framework }: Project,
  devServer: string | undefined,
): AsyncGenerator<Finding> {
  const installed = readWorkerScript(folder)
  if (framework?.publicFolder === undefined || installed === undefined) return
  const url = `${withoutTrailingSlashes(devServer ?? framework.devUrl)}/${workerScriptName}`
  const reply = await sendProbe(url, { patience })
  if (reply === undefined) return
  const right = stampsOf(installed)
  const { version, checksum } = stampsOf(reply.text)
  if (reply.httpStatus === 200 && checksum === right.checksum)
    yield good('worker', url, `that of msw ${right.version}`)
  else
    yield warning('worker', url, {
      expected: `the script of msw ${right.version}`,
      found:
        checksum === undefined ? `HTTP ${reply.httpStatus}, ${reply.type}` : `the script of msw ${version}`,
      way: `If this is the server of this project, run \`npx msw init ${framework.publicFolder} --save\` and start it again.`,
    })
}

async function* checkFixture(
  folder: string,
  path: string,
  readFixture: ProjectOptions['readFixture'],
): AsyncGenerator<Finding> {
  const way = `Correct it, and check it with \`pipeline-understudy fixture check ${path}\`.`
  try {
    createUnderstudy({ fixture: readFixture(join(folder, path)), clock: 'system' }).dispose()
    yield good('fixtures', path, 'can be loaded')
  } catch (error) {
    if (error instanceof FixtureError)
      for (const { path: place, expected, found } of error.flaws)
        yield wrong('fixtures', `${path} at ${place}`, { expected, found, way })
    else yield wrong('fixtures', path, { expected: 'a fixture', found: messageOf(error), way })
  }
}

/** Checks what listens at the default port of `pipeline-understudy serve`. */
async function checkPort(port: number): Promise<Finding> {
  const about = `port ${port}`
  if (!(await isTaken(port))) return good('port', about, 'free')
  const reply = await sendProbe(`http://127.0.0.1:${port}/api/pipelines?_limit=1`, { patience })
  if (reply?.isEnvelope) return good('port', about, 'a mock server listens there')
  return wrong('port', about, {
    expected: 'free, or used by a mock server',
    found: 'used by another program',
    way: `Stop that program, or use another port: \`pipeline-understudy serve --port ${port + 1}\`.`,
  })
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: patience })
    const end = (isThere: boolean) => () => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', end(true)).once('timeout', end(true)).once('error', end(false))
  })
}
