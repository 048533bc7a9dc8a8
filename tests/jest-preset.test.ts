import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withUnderstudy } from '../src/integrations/jest/preset.ts'
import transformer from '../src/integrations/jest/transformer.ts'
import { root } from './support/root.ts'

const asCommonJs = { supportsStaticESM: false }
const rettime = join(root, 'node_modules/rettime/build/index.mjs')

/** Returns whether jest does not transform a file. */
const isIgnored = (path: string, patterns: readonly string[]) =>
  patterns.some((pattern) => new RegExp(pattern).test(path))

/** The transform that jest would take for a file: the first whose pattern matches. */
const transformOf = (path: string, transform: object) =>
  Object.entries(transform).find(([pattern]) => new RegExp(pattern).test(path))?.[1] as unknown

it('lets jest transform this package, msw and their dependencies', () => {
  const { transform, transformIgnorePatterns } = withUnderstudy({ rootDir: root })
  const transformed = [
    '/p/node_modules/pipeline-understudy/dist/index.js',
    '/p/node_modules/rettime/build/index.mjs',
    '/p/node_modules/.pnpm/msw@3.0.5/node_modules/msw/lib/core/index.js',
    '/p/node_modules/msw/node_modules/until-async/lib/index.js',
  ]

  expect(transformed.filter((path) => isIgnored(path, transformIgnorePatterns))).toEqual([])
  expect(transformed.map((path) => transformOf(path, transform))).toEqual(
    transformed.map(() => join(root, 'src/integrations/jest/transformer.js')),
  )
})

it('leaves everything else to jest and to the configuration', () => {
  const own = { '\\.tsx?$': 'ts-jest' }
  const options = { rootDir: root, transform: own, transformIgnorePatterns: ['^/p/generated/'], bail: true }
  const { transform, transformIgnorePatterns, bail } = withUnderstudy(options)
  const byDefault = withUnderstudy({ rootDir: root })

  expect(bail).toBe(true)
  expect(transformOf('/p/src/app.ts', transform)).toBe('ts-jest')
  expect(isIgnored('/p/generated/app.ts', transformIgnorePatterns)).toBe(true)
  expect(isIgnored('/p/src/generated/app.ts', transformIgnorePatterns)).toBe(false)
  expect(isIgnored('/p/node_modules/lodash/lodash.js', byDefault.transformIgnorePatterns)).toBe(true)
  expect(transformOf('/p/src/app.ts', byDefault.transform)).toBe('babel-jest')
  expect(transformOf('/p/src/app.ts', withUnderstudy({ rootDir: root, preset: 'ts-jest' }).transform)).toBe(
    undefined,
  )
})

it('converts only modules to CommonJS', () => {
  const process = (source: string, path: string) => transformer.process(source, path, asCommonJs).code
  const asCode = (code: string) => new Function('exports', 'require', '__filename', code)
  const exports: { where?: string; late?: () => Promise<{ word: string }> } = {}
  const require = (id: string) =>
    id === 'node:url' ? { pathToFileURL: (href: string) => ({ href }) } : { word: id }

  asCode(
    process(
      `const where = import.meta.url
const late = () => import('late')
export { where, late }`,
      rettime,
    ),
  )(exports, require, 'here')

  expect(exports.where).toBe('here')
  expect(process('export {}', join(root, 'node_modules/msw/lib/core/index.js'))).toBe('export {}')
  expect(process('export const a = 1', join(root, 'node_modules/leven/index.js'))).toContain('exports.a = a')
  return expect(exports.late?.()).resolves.toMatchObject({ word: 'late' })
})

it('leaves modules unchanged if jest supports them', () => {
  const asModule = { supportsStaticESM: true }

  expect(transformer.process('export {}', rettime, asModule).code).toBe('export {}')
  expect(transformer.getCacheKey('', rettime, asModule)).not.toBe(
    transformer.getCacheKey('', rettime, asCommonJs),
  )
})
