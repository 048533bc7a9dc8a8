import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packagesBehind } from './packages-behind.ts'

/** The transforms of jest, by pattern. */
export interface JestTransforms {
  readonly transform: Readonly<Record<string, string>>
  readonly transformIgnorePatterns: readonly string[]
}

/** The relevant parts of a configuration of jest. */
export interface JestOptions {
  readonly rootDir?: string
  readonly preset?: string | null
  readonly transform?: object
  readonly transformIgnorePatterns?: readonly string[]
}

const transformer = join(dirname(fileURLToPath(import.meta.url)), 'transformer.js')
const ignoredByDefault = ['/node_modules/', '\\.pnp\\.[^\\/]+$']

/**
 * Adds to a configuration of jest what tests in CommonJS need: converts Mock Service Worker, this package and their
 * dependencies to CommonJS. Does not change the transformation of other files.
 *
 * @example
 * export default withUnderstudy({ preset: 'ts-jest' })
 */
export function withUnderstudy<Options extends JestOptions>(
  options: Options = {} as Options,
): Omit<Options, keyof JestTransforms> & JestTransforms {
  const rootDir = resolve(options.rootDir ?? '.')
  const names = packagesBehind(['pipeline-understudy', 'msw'], rootDir).map((name) =>
    name.replaceAll('.', '\\.'),
  )
  const packages = `/node_modules/(?:${names.join('|')})/(?!.*/node_modules/)`
  const ignored = options.transformIgnorePatterns ?? ignoredByDefault
  return {
    ...options,
    transform: {
      [`${packages}.+\\.m?js$`]: transformer,
      ...(options.transform ?? ownTransform(options, rootDir)),
    },
    transformIgnorePatterns: ignored.map((pattern) => `^(?!.*${packages}).*(?:${pattern})`),
  }
}

/** Returns jest's default transform of a project's files, which jest omits if the configuration contains any. */
function ownTransform({ preset }: JestOptions, rootDir: string): Record<string, string> {
  if (preset) return {}
  const pattern = '\\.[jt]sx?$'
  try {
    // Resolved like jest does: the project may not see its dependencies.
    const from = ['jest', '@jest/core', 'jest-config'].reduce(
      (from, name) => createRequire(from).resolve(name),
      join(rootDir, 'package.json'),
    )
    return { [pattern]: createRequire(from).resolve('babel-jest') }
  } catch {
    return { [pattern]: 'babel-jest' }
  }
}

/** The same conversion as a preset, for a configuration without another preset: `preset: 'pipeline-understudy'`. */
const preset: JestTransforms = withUnderstudy()
export default preset
