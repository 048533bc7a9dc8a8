import { defaultUrl } from '../../shared/addresses.ts'

/** Setup of a framework, as far as `init` and `doctor` depend on it. */
export interface FrameworkSetup {
  readonly title: string
  /** The package by which a project names it. */
  readonly packageName: string
  /** The folder of static files, which contains the worker script. `undefined` if pages need no worker. */
  readonly publicFolder: string | undefined
  /** The URL of its development server. */
  readonly devUrl: string
}

/** The known frameworks. Several of them use Vite, so Vite comes last. */
export const frameworks = {
  sveltekit: {
    title: 'SvelteKit',
    packageName: '@sveltejs/kit',
    publicFolder: 'static',
    devUrl: 'http://localhost:5173',
  },
  nuxt: { title: 'Nuxt', packageName: 'nuxt', publicFolder: undefined, devUrl: 'http://localhost:3000' },
  next: { title: 'Next.js', packageName: 'next', publicFolder: 'public', devUrl: 'http://localhost:3000' },
  angular: {
    title: 'Angular',
    packageName: '@angular/core',
    publicFolder: 'public',
    devUrl: 'http://localhost:4200',
  },
  vite: { title: 'Vite', packageName: 'vite', publicFolder: 'public', devUrl: 'http://localhost:5173' },
} as const satisfies Readonly<Record<string, FrameworkSetup>>

/** A known framework; `none` for a project without pages, or with an unknown framework. */
export type Framework = keyof typeof frameworks | 'none'

/** Frameworks that `init` recognizes but has no setup for, by their packages. */
export const unknownFrameworks: ReadonlyMap<string, string> = new Map([
  ['astro', 'Astro'],
  ['@react-router/dev', 'React Router'],
  ['@remix-run/react', 'Remix'],
  ['@solidjs/start', 'SolidStart'],
  ['@tanstack/react-start', 'TanStack Start'],
  ['gatsby', 'Gatsby'],
  ['react-scripts', 'Create React App'],
  ['expo', 'Expo'],
  ['@builder.io/qwik', 'Qwik'],
])

/** Returns the setup of a framework; `undefined` for `none`. */
export function setupOf(framework: Framework): FrameworkSetup | undefined {
  return framework === 'none' ? undefined : frameworks[framework]
}

/** Explains that a framework has no setup, and what to do instead. */
export function explainUnknown(title: string): string {
  return `init does not know ${title}: it writes no files for pages. Use ${defaultUrl} as the base URL of the app and run \`pipeline-understudy serve\`, or start a worker as docs/browser.md shows.`
}
