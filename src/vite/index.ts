import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import { followFixture, readFixtureInPieces, versionOf, withName } from '../cli/read-fixture.ts'
import type { Understudy } from '../engine/create-understudy.ts'
import { importInSlices } from '../engine/worlds/read-in-slices.ts'
import { createListener } from '../server/create-listener.ts'
import { messageOf } from '../wire/built-ins.ts'
import { UnderstudyError } from '../wire/understudy-error.ts'
import { ownFixturePath, type ServedOptions, useUnderstudy } from './use-understudy.ts'

export interface VitePluginOptions extends ServedOptions {
  /** Whether the panel stands in the corner of each page in development. Default true. */
  readonly panel?: boolean
}

/**
 * Answers `/api` from an understudy in both servers of Vite, `dev` and `preview`; a build has nothing of it. The state
 * lives as long as the process: over reloads, hot updates, and restarts of the server with the same options.
 *
 * The panel stands at `/__understudy__/` and, in development, in the corner of each page; for this machine only.
 *
 * @throws FixtureError, FaultError and UnderstudyError where the server starts, with what is wrong.
 * @example
 * export default defineConfig({ plugins: [understudy({ fixture: 'demo', auth: 'key' })] })
 */
export function understudy(options: VitePluginOptions = {}): Plugin {
  const { panel = true, ...given } = options
  return {
    name: 'pipeline-understudy',
    // Vite asks for both of its servers with this word; a build goes without the plugin.
    apply: 'serve',
    async configureServer(server) {
      const path = ownFixturePath(server.config.root, given)
      const readVersion = path && (await versionOf(path))
      const own = await answer(server, 'dev', given)
      if (path !== undefined && readVersion !== undefined) watch(server, own, path, readVersion)
    },
    async configurePreviewServer(server) {
      await answer(server, 'preview', given)
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => (panel ? [corner] : []),
    },
  }
}

const corner = {
  tag: 'script',
  attrs: { type: 'module', src: '/__understudy__/panel/corner.js' },
  injectTo: 'body' as const,
}

/** Puts an understudy before everything else that the server answers, and lets it go when the server closes. */
async function answer(
  server: ViteDevServer | PreviewServer,
  kind: 'dev' | 'preview',
  given: ServedOptions,
): Promise<Understudy> {
  const { root, logger } = server.config
  const { understudy: own, release } = await useUnderstudy(kind, root, given)
  server.middlewares.use(createListener(own, { pages: 'beside' }))
  const { printUrls, close } = server
  server.printUrls = () => {
    printUrls()
    const [url] = server.resolvedUrls?.local ?? []
    if (url !== undefined) logger.info(`  ➜  Understudy: ${new URL('/__understudy__/', url).href}`)
  }
  server.close = async () => {
    await close.call(server)
    await release()
  }
  return own
}

/** Loads the fixture again when its file changes, and the page with it; a broken one is said, and the state stays. */
function watch(server: ViteDevServer, own: Understudy, path: string, readVersion: string): void {
  const load = async () => {
    try {
      await importInSlices(own, await readFixtureInPieces(path), { asStart: true })
      server.ws.send({ type: 'full-reload' })
    } catch (error) {
      const named = withName(path, error)
      const why = named instanceof UnderstudyError ? named.detail : messageOf(named)
      server.config.logger.error(`${why} The state stays as it was.`)
    }
  }
  const stop = followFixture(path, readVersion, load)
  const { close } = server
  server.close = async () => {
    stop()
    await close.call(server)
  }
}
