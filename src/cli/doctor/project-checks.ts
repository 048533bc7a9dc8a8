import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import satisfies from 'semver/functions/satisfies.js'
import { createUnderstudy } from '../../engine/create-understudy.ts'
import { FixtureError } from '../../factories/fixture-error.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import { messageOf } from '../../shared/built-ins.ts'
import { withoutTrailingSlashes } from '../../shared/urls.ts'
import { frameworks, setupOf } from '../project/frameworks.ts'
import { commandLine } from '../project/plan-start.ts'
import { findInstalled, type Project } from '../project/project.ts'
import { readWorkerScript, workerScriptName } from '../project/worker-script.ts'
import { type Check, type DoctorFinding, good, warning, wrong } from './finding.ts'
import { lookAtPort } from './port.ts'
import { isFixture } from './project-files.ts'
import { sendProbe } from './send-probe.ts'

/** Input of the checks of a project. */
export interface ProjectSubject {
  readonly project: Project
  /** Its files, as far as they are its own. */
  readonly files: readonly string[]
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
  readonly readFixture: (path: string) => Promise<Fixture>
}

const isWithin = (version: string, range: string) => satisfies(version, range, { includePrerelease: true })

/** The possible problems of a project. */
export const projectChecks: readonly Check<ProjectSubject>[] = [
  {
    name: 'node',
    look({ node, own: { engines } }) {
      if (isWithin(node, engines.node)) return [good('Node', node)]
      return [
        wrong('Node', {
          expected: engines.node,
          found: node,
          way: 'Install a newer Node: https://nodejs.org has them.',
        }),
      ]
    },
  },
  {
    name: 'package',
    look({ project }) {
      if (isHidden(project)) {
        const way = 'Run `yarn pipeline-understudy doctor`.'
        const flawed = { expected: 'doctor started by yarn', found: 'started without it', way }
        return [warning("packages of Yarn Plug'n'Play, which were not checked", flawed)]
      }
      const installed = findInstalled(project.folder, 'pipeline-understudy')
      if (installed !== undefined) return [good('pipeline-understudy', installed.version)]
      return [
        wrong('pipeline-understudy', {
          expected: 'installed in this project',
          found: 'nothing',
          way: `Run \`${commandLine(project, 'add', ['-D', 'pipeline-understudy'])}\`.`,
        }),
      ]
    },
  },
  {
    name: 'framework',
    look({ project: { framework, unknownFramework } }) {
      const { title } = setupOf(framework) ?? {}
      if (unknownFramework === undefined) return title === undefined ? [] : [good('framework', title)]
      const expected = `one of ${Object.values(frameworks)
        .map((each) => each.title)
        .join(', ')}`
      const found = `${unknownFramework}, which doctor does not know`
      const way =
        'Check manually that its server serves the worker script, or that it passes /api to the mock.'
      return [warning('framework', { expected, found, way })]
    },
  },
  {
    name: 'peers',
    look: ({ project, own, node }) =>
      isHidden(project)
        ? []
        : Object.entries(own.peerDependencies).flatMap(([name, range]) =>
            checkPeer(project, name, range, node),
          ),
  },
  {
    name: 'worker',
    look: async ({ project, files, devServer }) => [
      ...checkWorkers(project, files),
      ...(await checkServedWorker(project, devServer)),
    ],
  },
  {
    name: 'fixtures',
    async look({ project: { folder }, files, readFixture }) {
      const found: DoctorFinding[] = []
      for (const path of files) {
        if (await isFixture(folder, path)) found.push(...(await lookAtFixture(folder, path, readFixture)))
      }
      return found
    },
  },
  { name: 'port', look: async ({ port }) => [await lookAtPort(port)] },
]

/** Reports whether only Yarn could find the packages of a project, and has not started this process. */
function isHidden({ usesPlugAndPlay }: Project): boolean {
  return usesPlugAndPlay && process.versions.pnp === undefined
}

function checkPeer(project: Project, name: string, range: string, node: string): DoctorFinding[] {
  const { manifest, folder } = project
  const installed = findInstalled(folder, name)
  if (installed === undefined) {
    const isNamed = { ...manifest.dependencies, ...manifest.devDependencies }[name] !== undefined
    if (!isNamed) return []
    const way = `Run \`${commandLine(project, 'add', ['-D', name])}\`, or install what package.json names.`
    return [wrong(name, { expected: 'installed, since package.json names it', found: 'nothing', way })]
  }
  if (installed.node !== undefined && !isWithin(node, installed.node)) {
    const expected = `Node ${installed.node}, which ${name} ${installed.version} requires`
    const way = `Install a newer Node, or an older version of ${name}.`
    return [wrong(name, { expected, found: `Node ${node}`, way })]
  }
  if (isWithin(installed.version, range)) return [good(name, installed.version)]
  const way = `Run \`${commandLine(project, 'add', ['-D', `${name}@latest`])}\`.`
  return [wrong(name, { expected: range, found: installed.version, way })]
}

/**
 * Reads the version and the checksum that msw writes into its script; its package and its page compare them.
 */
function stampsOf(script: string) {
  const [, version = 'unknown'] = /PACKAGE_VERSION = ['"]([^'"]+)/.exec(script) ?? []
  const [, checksum] = /INTEGRITY_CHECKSUM = ['"]([^'"]+)/.exec(script) ?? []
  return { version, checksum }
}

function checkWorkers(project: Project, files: readonly string[]): DoctorFinding[] {
  const { folder, manifest, msw } = project
  const folders = [manifest.msw?.workerDirectory ?? []].flat()
  const places = files.filter((path) => path.endsWith(workerScriptName))
  const missing = folders.filter((place) => !places.includes(`${place}/${workerScriptName}`))
  const brought = readWorkerScript(folder)
  if (brought === undefined) return []
  const right = stampsOf(brought)
  return [
    ...missing.map((place) =>
      wrong('the script of msw', {
        expected: `${place}/${workerScriptName}, as msw.workerDirectory of package.json says`,
        found: 'no such file',
        way: `Run \`npx msw init ${place} --save\`.`,
      }),
    ),
    ...places.map((place) => {
      const { version, checksum } = stampsOf(readFileSync(join(folder, place), 'utf8'))
      if (checksum === right.checksum) return good(place, `that of msw ${msw}`)
      return wrong(place, {
        expected: `the script of msw ${msw}, which is installed (its checksum is ${right.checksum})`,
        found: `that of msw ${version}`,
        way: `Run \`npx msw init ${place.slice(0, -workerScriptName.length - 1) || '.'} --save\`, and reload the page.`,
      })
    }),
  ]
}

/** Compares the worker script that the development server sends, if one listens at its usual address. */
async function checkServedWorker(
  { folder, framework }: Project,
  devServer: string | undefined,
): Promise<DoctorFinding[]> {
  const setup = setupOf(framework)
  const installed = readWorkerScript(folder)
  if (setup?.publicFolder === undefined || installed === undefined) return []
  const url = `${withoutTrailingSlashes(devServer ?? setup.devUrl)}/${workerScriptName}`
  const reply = await sendProbe(url, { patience: 2_000 })
  if (reply === undefined) return []
  const right = stampsOf(installed)
  const { version, checksum } = stampsOf(reply.text)
  if (reply.httpStatus === 200 && checksum === right.checksum)
    return [good(url, `that of msw ${right.version}`)]
  const found =
    checksum === undefined ? `HTTP ${reply.httpStatus}, ${reply.type}` : `the script of msw ${version}`
  return [
    warning(url, {
      expected: `the script of msw ${right.version}`,
      found,
      way: `If this is the server of this project, run \`npx msw init ${setup.publicFolder} --save\` and start it again.`,
    }),
  ]
}

async function lookAtFixture(
  folder: string,
  path: string,
  readFixture: ProjectSubject['readFixture'],
): Promise<DoctorFinding[]> {
  const way = `Correct it; \`pipeline-understudy fixture check ${path}\` says whether it can be loaded.`
  try {
    createUnderstudy({ fixture: await readFixture(join(folder, path)), clock: 'system' })
    return [good(path, 'can be loaded')]
  } catch (error) {
    if (!(error instanceof FixtureError))
      return [wrong(path, { expected: 'a fixture', found: messageOf(error), way })]
    return error.flaws.map(({ path: place, expected, found }) =>
      wrong(`${path} at ${place}`, { expected, found, way }),
    )
  }
}
