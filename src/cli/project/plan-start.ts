import { posix } from 'node:path'
import { type Agent, resolveCommand } from 'package-manager-detector'
import { defaultUrl } from '../../shared/addresses.ts'
import type { Project } from './project.ts'
import { type Runner, runners } from './runners.ts'
import { fillTemplate, fixtureName, type PlannedFile, type TemplateOptions } from './templates.ts'
import { readWorkerScript, workerScriptName } from './worker-script.ts'

/** The changes that `pipeline-understudy init` makes in a project. */
export interface StartPlan {
  readonly install: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
  /** The folder in which msw updates its script. */
  readonly workerDirectory: string | undefined
  /** Returns the files; they depend on the packages installed by then. */
  files(project: Project): PlannedFile[]
  /** Remaining steps for the user, one per line. */
  readonly next: readonly string[]
}

/** Chooses the runner of the first test: one that the project uses, otherwise one that fits its framework. */
export function chooseRunner({ runners: [first], framework }: Project): Runner {
  return first ?? framework?.runner ?? 'node'
}

/** Packages whose latest version needs Node 22.12, with the last version for Node 20. Only npm selects it by itself. */
const forNode20: Readonly<Record<string, string>> = { msw: 'msw@2', vitest: 'vitest@4' }

/** Plans the changes; `node` is the version of Node that runs. */
export function planStart(project: Project, runner: Runner, node = process.versions.node): StartPlan {
  const { framework, unknownFramework, hasUnderstudy, isWorkspaceRoot, msw, manifest } = project
  const { packageName, testName, command } = runners[runner]
  const options = optionsOf(project)
  const { mocks, code } = options
  const test = `${mocks}/${testName(code)}`
  const run = (script: string) => commandLine(project, 'run', [script])
  return {
    install: [
      ...(hasUnderstudy ? [] : ['pipeline-understudy']),
      ...(msw === undefined && usesMsw(project, runner) ? ['msw'] : []),
      ...(packageName === undefined || project.runners.includes(runner) ? [] : [packageName]),
    ].map((name) => (node.startsWith('20.') ? (forNode20[name] ?? name) : name)),
    scripts: {
      mock: `pipeline-understudy serve --fixture ${mocks}/${fixtureName} --watch`,
      'mock:test': command(test),
    },
    workerDirectory: manifest.msw?.workerDirectory === undefined ? framework?.publicFolder : undefined,
    files: (installed) => filesOf(installed, runner, test),
    next: [
      ...(isWorkspaceRoot
        ? [
            'this is the root of a workspace: to set up one of its packages, pass its folder to init and doctor',
          ]
        : []),
      `${run('mock:test')}: runs the first test, on ${mocks}/${fixtureName}`,
      `${run('mock')}: serves the same records at ${defaultUrl}/`,
      ...(framework?.steps(options) ?? []),
      ...(unknownFramework === undefined
        ? []
        : [
            `init does not know ${unknownFramework}: it writes no files for pages. If it uses Vite, add the plugin as node_modules/pipeline-understudy/docs/vite.md shows. Otherwise, run \`${run('mock')}\` and use ${defaultUrl} as the base URL of the app.`,
          ]),
    ],
  }
}

/** Reports whether one of the written files imports msw. */
function usesMsw({ framework }: Project, runner: Runner): boolean {
  return framework?.publicFolder !== undefined || runner !== 'playwright'
}

function filesOf(project: Project, runner: Runner, test: string): PlannedFile[] {
  const options = optionsOf(project)
  const { mocks, code } = options
  const { publicFolder, files } = project.framework ?? {}
  const hasPages = publicFolder !== undefined
  const script = hasPages ? readWorkerScript(project.folder) : undefined
  const fill = (path: string, template: string) => ({
    path: `${path}.${code}`,
    text: fillTemplate(template, options),
  })
  return [
    { path: `${mocks}/${fixtureName}`, text: fillTemplate('fixture', options) },
    ...(hasPages || runner === 'vitest' ? [fill(`${mocks}/handlers`, 'handlers')] : []),
    ...(hasPages ? [fill(`${mocks}/browser`, 'browser')] : []),
    ...(script === undefined ? [] : [{ path: `${publicFolder}/${workerScriptName}`, text: script }]),
    ...Object.entries(files?.(options) ?? {}).map(([path, template]) => fill(path, template)),
    { path: test, text: fillTemplate(`test-${runner}`, options) },
  ]
}

function optionsOf({ usesTypeScript, needsEndings, msw, sources }: Project): TemplateOptions {
  const mocks = posix.join(sources, 'mocks')
  return {
    code: usesTypeScript ? 'ts' : 'js',
    sources,
    mocks,
    ending: usesTypeScript && !needsEndings ? '' : '.js',
    jsonAttribute: needsEndings ? ` with { type: 'json' }` : '',
    toRoot: '../'.repeat(mocks.split('/').length),
    unhandled: Number.parseInt(msw ?? '3', 10) >= 3 ? 'onUnhandledFrame' : 'onUnhandledRequest',
  }
}

/** The flag without which a package manager refuses to add a package to the root of a workspace. */
const toRootOf: Partial<Record<Agent, readonly string[]>> = { pnpm: ['-w'], 'pnpm@6': ['-w'], yarn: ['-W'] }

/** Returns the command line for the project's package manager. */
export function commandLine(
  { agent, isWorkspaceRoot }: Pick<Project, 'agent' | 'isWorkspaceRoot'>,
  what: 'run' | 'add',
  args: readonly string[],
): string {
  const toRoot = what === 'add' && isWorkspaceRoot ? (toRootOf[agent] ?? []) : []
  const given = [...toRoot, ...args]
  const found = resolveCommand(agent, what, given)
  return found === null ? `npm ${what} ${given.join(' ')}` : [found.command, ...found.args].join(' ')
}
