import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { promises, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Script } from 'node:vm'

/** How long after the first reply what has been compiled is kept, in milliseconds: whoever sent it may ask more. */
const pause = 200

/**
 * Loads a file in CommonJS, and gives what it exports. What V8 has compiled of it is kept in a file beside it, once this
 * process has answered a request over HTTP, and spares the next one that work: what Node does by itself from 22.8 on.
 * Beside it, because whoever could write a wrong one there could as well write the file. What the file imports when it is
 * asked to, it imports by `module.importModule`: of a script that was kept, Node 20 does not know where an `import()` leads.
 */
export function loadCompiled(
  file: string,
  require: NodeJS.Require,
  importModule?: (path: string) => Promise<unknown>,
): unknown {
  const cachedData = readKept(file)
  // All ASCII, as esbuild writes it.
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`
  const script = new Script(text, { filename: file, ...(cachedData && { cachedData }) })
  const loaded = { exports: {}, importModule }
  script.runInThisContext().call(loaded.exports, loaded.exports, require, loaded, file, dirname(file))
  // V8 refuses what another version of it has compiled, or the same one with other flags.
  const isKept = script.cachedDataRejected === false
  // By this variable Node is told, too.
  if (!isKept && !process.env.NODE_DISABLE_COMPILE_CACHE) afterFirstReply(() => keep(script, file))
  return loaded.exports
}

/** Where that which is compiled of a file is kept for this version of Node. */
export function keptFile(file: string): string {
  return `${file}.${process.version}-${process.arch}.compiled`
}

/** What is kept of a file as it is now: V8 itself looks at nothing of it but its length. */
function readKept(file: string): Buffer | undefined {
  const kept = keptFile(file)
  try {
    return statSync(kept).mtimeMs > statSync(file).mtimeMs ? readFileSync(kept) : undefined
  } catch {
    return undefined
  }
}

/** By then the functions that answer are compiled, too. */
function afterFirstReply(then: () => void): void {
  const channel = 'http.server.response.finish'
  const listener = () => {
    unsubscribe(channel, listener)
    setTimeout(then, pause).unref()
  }
  subscribe(channel, listener)
}

/** Nobody misses it where it cannot be written, such as in a folder of another user. */
async function keep(script: Script, file: string): Promise<void> {
  const beside = `${file}.${process.pid}.compiled`
  try {
    const handle = await promises.open(beside, 'wx', 0o644)
    try {
      await handle.writeFile(script.createCachedData())
      // V8 believes what it reads: the name may not reach the disk before the bytes.
      await handle.sync()
    } finally {
      await handle.close()
    }
    await promises.rename(beside, keptFile(file))
  } catch {
    await promises.rm(beside, { force: true }).catch(() => undefined)
  }
}
