import { posix } from 'node:path'
import { resolveCommand } from 'package-manager-detector'
import { defaultUrl } from '../../shared/addresses.ts'
import { explainUnknown, setupOf } from './frameworks.ts'
import { type Project, packageOf, type Runner } from './project.ts'
import {
  browserText,
  fixtureName,
  fixtureText,
  handlersText,
  instrumentationText,
  jestText,
  nodeTestText,
  nuxtRouteText,
  playwrightText,
  serverText,
  svelteHooksText,
  type TemplateOptions,
  vitestText,
} from './templates.ts'
import { readWorkerScript, workerScriptName } from './worker-script.ts'

/** A file of the plan. */
export interface PlannedFile {
  /** From the project's folder, with slashes. */
  readonly path: string
  readonly text: string
}

/** The changes that `pipeline-understudy init` makes in a project. */
export interface StartPlan {
  /** Missing development packages. */
  readonly install: readonly string[]
  /** Additional scripts of `package.json`. */
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
  return first ?? (framework === 'vite' || framework === 'sveltekit' ? 'vitest' : 'node')
}

/** Plans what a project needs to begin with. */
export function planStart(project: Project, runner: Runner): StartPlan {
  const { framework, hasUnderstudy, msw, sources, usesTypeScript, manifest } = project
  const mocks = posix.join(sources, 'mocks')
  const publicFolder = setupOf(framework)?.publicFolder
  const install = [
    ...(hasUnderstudy ? [] : ['pipeline-understudy']),
    ...(msw === undefined ? ['msw'] : []),
    ...(runner === 'node' || project.runners.includes(runner) ? [] : [packageOf[runner]]),
  ]
  const test = `${mocks}/${testName(runner, usesTypeScript)}`
  const scripts = {
    mock: `pipeline-understudy serve --fixture ${mocks}/${fixtureName} --watch`,
    'mock:test': commandOf(runner, test),
  }
  return {
    install,
    scripts,
    workerDirectory: manifest.msw?.workerDirectory === undefined ? publicFolder : undefined,
    files: (installed) => filesOf(installed, runner, mocks, test),
    next: nextOf(project, mocks),
  }
}

function filesOf(project: Project, runner: Runner, mocks: string, test: string): PlannedFile[] {
  const { folder, framework, usesTypeScript } = project
  const options = optionsOf(project, mocks)
  const code = usesTypeScript ? 'ts' : 'js'
  const files: PlannedFile[] = [{ path: `${mocks}/${fixtureName}`, text: fixtureText(options) }]
  const publicFolder = setupOf(framework)?.publicFolder
  if (publicFolder !== undefined || runner === 'vitest')
    files.push({ path: `${mocks}/handlers.${code}`, text: handlersText(options) })
  if (publicFolder !== undefined) {
    files.push({ path: `${mocks}/browser.${code}`, text: browserText(options) })
    const script = readWorkerScript(folder)
    if (script !== undefined) files.push({ path: `${publicFolder}/${workerScriptName}`, text: script })
  }
  if (framework === 'sveltekit')
    files.push({ path: `src/hooks.client.${code}`, text: svelteHooksText(options) })
  if (framework === 'nuxt')
    files.push({
      path: `server/api/[...path].${code}`,
      text: nuxtRouteText(`../../${mocks}/${fixtureName}`),
    })
  if (framework === 'next') {
    files.push({ path: `${mocks}/server.${code}`, text: serverText(options) })
    files.push({
      path: posix.join(project.sources, `instrumentation.${code}`),
      text: instrumentationText(options, './mocks'),
    })
  }
  files.push({ path: test, text: testTexts[runner](options) })
  return files
}

const testTexts: Readonly<Record<Runner, (options: TemplateOptions) => string>> = {
  vitest: vitestText,
  jest: jestText,
  playwright: playwrightText,
  node: nodeTestText,
}

function optionsOf({ usesTypeScript, needsEndings, msw }: Project, mocks: string): TemplateOptions {
  return {
    usesTypeScript,
    ending: usesTypeScript && !needsEndings ? '' : '.js',
    jsonAttribute: needsEndings ? ` with { type: 'json' }` : '',
    toRoot: '../'.repeat(mocks.split('/').length),
    unhandled: Number.parseInt(msw ?? '3', 10) >= 3 ? 'onUnhandledFrame' : 'onUnhandledRequest',
  }
}

function testName(runner: Runner, usesTypeScript: boolean): string {
  if (runner === 'playwright') return 'pipelines.spec.mjs'
  if (runner === 'vitest') return usesTypeScript ? 'pipelines.test.ts' : 'pipelines.test.js'
  // Not what jest finds by itself: without the flag for modules it could not load it.
  return runner === 'jest' ? 'pipelines.mock-test.mjs' : 'pipelines.test.mjs'
}

function commandOf(runner: Runner, test: string): string {
  switch (runner) {
    case 'vitest':
      return `vitest run ${test}`
    case 'jest':
      // With no configuration but this: that of the project may make CommonJS of it.
      return `node --experimental-vm-modules node_modules/jest/bin/jest.js --config "{}" --testMatch "**/${test}"`
    case 'playwright':
      return `playwright test ${test}`
    case 'node':
      return `node --test ${test}`
  }
}

/** Returns the command line for the project's package manager. */
export function commandLine(
  { agent, isWorkspaceRoot }: Pick<Project, 'agent' | 'isWorkspaceRoot'>,
  what: 'run' | 'add',
  args: readonly string[],
): string {
  // pnpm refuses to add a package to the root of a workspace without it.
  const given = what === 'add' && isWorkspaceRoot ? ['-w', ...args] : [...args]
  const found = resolveCommand(agent, what, given)
  return found === null ? `npm ${what} ${given.join(' ')}` : [found.command, ...found.args].join(' ')
}

function nextOf(project: Project, mocks: string): string[] {
  const run = (script: string) => commandLine(project, 'run', [script])
  return [
    `${run('mock:test')}: runs the first test, on ${mocks}/${fixtureName}`,
    `${run('mock')}: serves the same records at ${defaultUrl}/`,
    ...pageSteps(project, mocks),
  ]
}

/** Returns the remaining steps for the pages of a framework. */
function pageSteps(project: Project, mocks: string): string[] {
  const { framework, unknownFramework } = project
  const startMocking = `(await import('./mocks/browser${optionsOf(project, mocks).ending}')).startMocking()`
  switch (framework) {
    case 'vite':
      return [
        `in the browser: begin the module that renders with\n    if (import.meta.env.DEV) await ${startMocking}`,
      ]
    case 'next':
      return [
        'on the server: UNDERSTUDY=on next dev mocks the requests of server components and actions',
        `in the browser: await startMocking() of ${mocks}/browser in an effect of a client component, before its first request`,
      ]
    case 'sveltekit':
      return ['in the browser: vite dev starts the mock in src/hooks.client']
    case 'nuxt':
      return ['in pages and on the server: nuxt dev answers /api; useFetch needs no base URL']
    case 'angular':
      return [
        `in the browser: let src/main.ts wait for the mock\n    const ready = isDevMode() ? import('./mocks/browser').then(({ startMocking }) => startMocking()) : Promise.resolve()\n    ready.then(() => bootstrapApplication(App, appConfig))`,
      ]
    case 'none':
      return unknownFramework === undefined ? [] : [explainUnknown(unknownFramework)]
  }
}
