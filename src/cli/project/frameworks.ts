import { posix } from 'node:path'
import type { TemplateOptions } from './templates.ts'

/** Setup of a framework, as far as `init` and `doctor` depend on it. */
export interface Framework {
  readonly title: string
  readonly packageName: string
  /** The folder of static files, which contains the worker script. Absent if pages need no worker. */
  readonly publicFolder?: string
  readonly devUrl: string
  /** Files that only this framework needs: the template of each path, without its ending. */
  readonly files?: (options: TemplateOptions) => Readonly<Record<string, string>>
  /** The runner of the first test in a project without one. Default: that of Node. */
  readonly runner?: 'vitest'
  /** Remaining steps for the user, one per line. */
  readonly steps: (options: TemplateOptions) => string[]
}

/** The call of the Vite plugin, with the fixture that `init` writes. */
function plugin(mocks: string): string {
  return `understudy({ fixture: '${mocks}/pipelines.fixture.json' })`
}

function pluginStep(file: string, command: string, line: string): string {
  return `in pages and on the server: add the plugin to ${file}, and start ${command}\n    import { understudy } from 'pipeline-understudy/vite'\n    ${line}`
}

/** The known frameworks. Several of them use Vite, so Vite comes last. */
export const frameworks: readonly Framework[] = [
  {
    title: 'SvelteKit',
    packageName: '@sveltejs/kit',
    devUrl: 'http://localhost:5173',
    runner: 'vitest',
    files: () => ({ 'src/hooks.server': 'svelte-hooks' }),
    steps: ({ mocks }) => [pluginStep('vite.config', 'vite dev', `plugins: [${plugin(mocks)}, sveltekit()]`)],
  },
  {
    title: 'Astro',
    packageName: 'astro',
    devUrl: 'http://localhost:4321',
    runner: 'vitest',
    steps: ({ mocks }) => [pluginStep('astro.config', 'astro dev', `vite: { plugins: [${plugin(mocks)}] }`)],
  },
  {
    title: 'React Router',
    packageName: '@react-router/dev',
    devUrl: 'http://localhost:5173',
    runner: 'vitest',
    steps: ({ mocks }) => [
      pluginStep('vite.config', 'react-router dev', `plugins: [${plugin(mocks)}, reactRouter()]`),
    ],
  },
  {
    title: 'Nuxt',
    packageName: 'nuxt',
    devUrl: 'http://localhost:3000',
    files: () => ({ 'server/api/[...path]': 'nuxt-route' }),
    steps: () => ['in pages and on the server: nuxt dev answers /api; useFetch needs no base URL'],
  },
  {
    title: 'Next.js',
    packageName: 'next',
    publicFolder: 'public',
    devUrl: 'http://localhost:3000',
    files: ({ mocks, sources }) => ({
      [`${mocks}/server`]: 'next-server',
      [posix.join(sources, 'instrumentation')]: 'next-instrumentation',
    }),
    steps: ({ mocks }) => [
      'on the server: UNDERSTUDY=on next dev mocks the requests of server components and actions',
      `in the browser: await startMocking() of ${mocks}/browser in an effect of a client component, before its first request`,
    ],
  },
  {
    title: 'Angular',
    packageName: '@angular/core',
    publicFolder: 'public',
    devUrl: 'http://localhost:4200',
    steps: () => [
      `in the browser: let src/main.ts wait for the mock\n    const ready = isDevMode() ? import('./mocks/browser').then(({ startMocking }) => startMocking()) : Promise.resolve()\n    ready.then(() => bootstrapApplication(App, appConfig))`,
    ],
  },
  {
    title: 'Vite',
    packageName: 'vite',
    publicFolder: 'public',
    devUrl: 'http://localhost:5173',
    runner: 'vitest',
    steps: ({ ending }) => [
      `in the browser: begin the module that renders with\n    if (import.meta.env.DEV) await (await import('./mocks/browser${ending}')).startMocking()`,
    ],
  },
]

/** Frameworks that `init` recognizes but has no setup for, by their packages. */
export const unknownFrameworks: ReadonlyMap<string, string> = new Map([
  ['@remix-run/react', 'Remix'],
  ['@solidjs/start', 'SolidStart'],
  ['@tanstack/react-start', 'TanStack Start'],
  ['gatsby', 'Gatsby'],
  ['react-scripts', 'Create React App'],
  ['expo', 'Expo'],
  ['@builder.io/qwik', 'Qwik'],
])
