import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Agent, detect } from 'package-manager-detector'
import { findPackage } from '../../files/find-package.ts'
import { readTextFile, readUserFile } from '../../files/read-file.ts'
import { messageOf } from '../../shared/built-ins.ts'
import { parseJson } from '../../shared/json.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { isObject, keysOf } from '../../shared/values.ts'
import { type Framework, frameworks, unknownFrameworks } from './frameworks.ts'
import { type Runner, runners } from './runners.ts'

export interface Manifest {
  readonly name?: string
  readonly type?: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly workspaces?: unknown
  readonly msw?: { readonly workerDirectory?: string | readonly string[] }
}

export interface Project {
  readonly folder: string
  readonly manifest: Manifest
  /** Absent in a project without pages, or with an unknown framework. */
  readonly framework: Framework | undefined
  /** The name of a framework that `init` has no setup for. */
  readonly unknownFramework: string | undefined
  /** The test runners that the project uses, in order of preference. */
  readonly runners: readonly Runner[]
  readonly usesTypeScript: boolean
  /** True if imports need file extensions, as with TypeScript's `nodenext`. */
  readonly needsEndings: boolean
  readonly agent: Agent
  readonly msw: string | undefined
  readonly hasUnderstudy: boolean
  /** True if Yarn Plug'n'Play resolves packages; there is no `node_modules` then. */
  readonly usesPlugAndPlay: boolean
  /** True in the root of a workspace of npm, pnpm, Yarn or Bun. */
  readonly isWorkspaceRoot: boolean
  /** The folder of the sources: `src`, or empty for the project folder. */
  readonly sources: 'src' | ''
}

/**
 * Inspects a project: its manifest, lock files, TypeScript configuration and installed packages.
 *
 * @throws UnderstudyError where there is no `package.json`, or it is not JSON.
 */
export async function readProject(folder: string): Promise<Project> {
  const manifest = readManifest(folder)
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies }
  const has = (name: string) => Object.hasOwn(wanted, name)
  const unknownFramework = [...unknownFrameworks].find(([name]) => has(name))?.[1]
  const known = frameworks.find(({ packageName }) => has(packageName))
  const { usesTypeScript, needsEndings } = readTypeScript(folder, has('typescript'))
  return {
    folder,
    manifest,
    framework: unknownFramework === undefined ? known : undefined,
    unknownFramework,
    runners: keysOf(runners).filter((runner) => has(runners[runner].packageName ?? '')),
    usesTypeScript,
    needsEndings,
    agent: (await detect({ cwd: folder }))?.agent ?? 'npm',
    msw: findPackage(folder, 'msw')?.version,
    hasUnderstudy: findPackage(folder, 'pipeline-understudy') !== undefined,
    usesPlugAndPlay: findUpward(folder, '.pnp.cjs') !== undefined,
    isWorkspaceRoot: manifest.workspaces !== undefined || existsSync(join(folder, 'pnpm-workspace.yaml')),
    sources: existsSync(join(folder, 'src')) ? 'src' : '',
  }
}

function readManifest(folder: string): Manifest {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) {
    throw new UnderstudyError(
      'NOT_FOUND',
      `There is no package.json in ${folder}. Run \`npm init --yes\` there first, or name the folder of your project.`,
    )
  }
  return parseManifest(path, readManifestText(path))
}

/** Reads a `package.json` with its byte order mark. It rejects other bytes than UTF-8, which writing it back would change. */
export function readManifestText(path: string): string {
  const bytes = readUserFile(path)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UnderstudyError('ARGUMENT_INVALID', `Cannot read ${path}: it is not UTF-8.`)
  }
}

/** Parses the text of a `package.json`; `path` names it in errors. */
export function parseManifest(path: string, text: string): Manifest {
  let manifest: unknown
  try {
    manifest = parseJson(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UnderstudyError('ARGUMENT_INVALID', `${path} is not JSON: ${messageOf(error)}.`)
  }
  if (isObject(manifest)) return manifest
  throw new UnderstudyError('ARGUMENT_INVALID', `${path} is not a JSON object.`)
}

/** Finds a file in a folder or in one of its parents. */
function findUpward(folder: string, name: string): string | undefined {
  const path = join(folder, name)
  if (existsSync(path)) return path
  return dirname(folder) === folder ? undefined : findUpward(dirname(folder), name)
}

/** Reads the TypeScript configuration in this folder; Vite projects have a separate file for their sources. */
function readTypeScript(folder: string, isWanted: boolean) {
  const path = ['tsconfig.app.json', 'tsconfig.json']
    .map((name) => join(folder, name))
    .find((name) => existsSync(name))
  if (path === undefined) return { usesTypeScript: isWanted, needsEndings: false }
  // The file may contain comments, so it is not parsed as JSON. `extends` is not followed: the compiler
  // reports a missing extension.
  const [, module = ''] = /"module"\s*:\s*"(\w+)"/.exec(readTextFile(path)) ?? []
  return { usesTypeScript: true, needsEndings: /^node/i.test(module) }
}
