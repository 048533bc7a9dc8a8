import { posix } from 'node:path'
import { resolveCommand } from 'package-manager-detector'
import { defaultUrl } from '../../shared/addresses.ts'
import type { Project, Runner } from './project.ts'
import {
  browserText,
  fixtureName,
  fixtureText,
  handlersText,
  instrumentationText,
  jestText,
  nodeTestText,
  playwrightText,
  serverText,
  type TemplateOptions,
  vitestText,
} from './templates.ts'
import { readWorkerScript, workerScriptName } from './worker-script.ts'

/** A file that is to stand in a project. */
export interface PlannedFile {
  /** From the project's folder, with slashes. */
  readonly path: string
  readonly text: string
}

/** What `pipeline-understudy init` does in a project. */
export interface StartPlan {
  /** Packages that are missing, to be installed for development. */
  readonly install: readonly string[]
  /** What joins `package.json`, where it does not stand there. */
  readonly scripts: Readonly<Record<string, string>>
  /** Where msw keeps its script up to date. */
  readonly workerDirectory: string | undefined
  /** The files; they depend on what is installed by then. */
  files(project: Project): PlannedFile[]
  /** What is left to the user, a line each. */
  readonly next: readonly string[]
}

/** Chooses the runner of the first test: one that the project names, else what suits what it is made with. */
export function chooseRunner({ runners: [first], framework }: Project): Runner {
  return first ?? (framework === 'vite' ? 'vitest' : 'node')
}

/** Plans what a project needs to begin with. */
export function planStart(project: Project, runner: Runner): StartPlan {
  const { framework, hasUnderstudy, msw, sources, usesTypeScript, manifest } = project
  const mocks = posix.join(sources, 'mocks')
  const hasPages = framework !== 'none'
  const install = [
    ...(hasUnderstudy ? [] : ['pipeline-understudy']),
    ...(msw === undefined ? ['msw'] : []),
    ...(runner === 'node' || project.runners.includes(runner) ? [] : [packageOf(runner)]),
  ]
  const test = `${mocks}/${testName(runner, usesTypeScript)}`
  const scripts = {
    mock: `pipeline-understudy serve --fixture ${mocks}/${fixtureName} --watch`,
    'mock:test': commandOf(runner, test),
  }
  return {
    install,
    scripts,
    workerDirectory: hasPages && manifest.msw?.workerDirectory === undefined ? 'public' : undefined,
    files: (installed) => filesOf(installed, runner, mocks, test),
    next: nextOf(project, mocks),
  }
}

function filesOf(project: Project, runner: Runner, mocks: string, test: string): PlannedFile[] {
  const { folder, framework, usesTypeScript } = project
  const options = optionsOf(project, mocks)
  const code = usesTypeScript ? 'ts' : 'js'
  const files: PlannedFile[] = [{ path: `${mocks}/${fixtureName}`, text: fixtureText(options) }]
  const hasPages = framework !== 'none'
  if (hasPages || runner === 'vitest')
    files.push({ path: `${mocks}/handlers.${code}`, text: handlersText(options) })
  if (hasPages) {
    files.push({ path: `${mocks}/browser.${code}`, text: browserText(options) })
    const script = readWorkerScript(folder)
    if (script !== undefined) files.push({ path: `public/${workerScriptName}`, text: script })
  }
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

function packageOf(runner: Exclude<Runner, 'node'>): string {
  return runner === 'playwright' ? '@playwright/test' : runner
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

/** How the project's package manager does something, as a line to paste. */
export function commandLine({ agent }: Pick<Project, 'agent'>, what: 'run' | 'add', args: string[]): string {
  const found = resolveCommand(agent, what, args)
  return found === null ? `npm ${what} ${args.join(' ')}` : [found.command, ...found.args].join(' ')
}

function nextOf(project: Project, mocks: string): string[] {
  const { framework } = project
  const run = (script: string) => commandLine(project, 'run', [script])
  return [
    `${run('mock:test')}: the first test, on ${mocks}/${fixtureName}`,
    `${run('mock')}: the same records behind a server, and its page, on ${defaultUrl}/`,
    ...(framework === 'vite'
      ? [
          `in the browser: begin the module that draws with\n    ${pageLine('import.meta.env.DEV', optionsOf(project, mocks))}`,
        ]
      : []),
    ...(framework === 'next'
      ? [
          'on the server: UNDERSTUDY=on next dev answers what server components and actions ask for',
          `in the browser: await startMocking() of ${mocks}/browser in an effect of a client component, before it asks`,
        ]
      : []),
  ]
}

function pageLine(condition: string, { ending }: TemplateOptions): string {
  const file = `'./mocks/browser${ending}'`
  return `if (${condition}) await (await import(${file})).startMocking()`
}
