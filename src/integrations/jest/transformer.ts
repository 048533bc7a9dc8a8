import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { transform } from 'sucrase'
import { packageAt } from '../../files/find-package.ts'
import { version } from '../../shared/version.ts'

/** True if jest loads the file as an ES module. */
interface FileOptions {
  readonly supportsStaticESM: boolean
}

/** A transformer of Jest: converts ES modules to CommonJS if Jest does not load them as they are. */
export default {
  process(source: string, path: string, { supportsStaticESM }: FileOptions): { code: string } {
    if (supportsStaticESM || !isModule(path)) return { code: source }
    const { code } = transform(source, { transforms: ['imports'], disableESTransforms: true, filePath: path })
    return { code: code.replaceAll('import.meta.url', 'require("node:url").pathToFileURL(__filename).href') }
  },
  getCacheKey(source: string, path: string, { supportsStaticESM }: FileOptions): string {
    return createHash('sha256').update([version, path, supportsStaticESM, source].join('\0')).digest('hex')
  },
}

const types = new Map<string, string | undefined>()

function isModule(path: string): boolean {
  return path.endsWith('.mjs') || typeOf(dirname(path)) === 'module'
}

/** Returns the `type` in the nearest `package.json`, for files whose extension does not determine it. */
function typeOf(folder: string): string | undefined {
  if (!types.has(folder)) {
    const nearest = packageAt(folder)
    const above = dirname(folder)
    types.set(folder, nearest || above === folder ? nearest?.type : typeOf(above))
  }
  return types.get(folder)
}
