import type { Plugin, PreviewServer, ViteDevServer } from 'vite'
import { type WatchedFixture, watchFixture } from '../../cli/watch-fixture.ts'
import type { Understudy } from '../../engine/create-understudy.ts'
import { understudyChecks } from '../../engine/read-options.ts'
import { createListener } from '../../server/listener.ts'
import { ownPath } from '../../shared/addresses.ts'
import { checkOptions, type OptionChecks } from '../../shared/check-options.ts'
import { printableLines } from '../../shared/printable.ts'
import { type ServedOptions, type UsedUnderstudy, useUnderstudy } from './use-understudy.ts'

export interface VitePluginOptions extends ServedOptions {
  /** True to show the panel in the corner of each page in development. Default true. */
  readonly panel?: boolean
}

/** The checks of the mock, except for the fixture, which may also be a name. */
const checks: OptionChecks<VitePluginOptions> = {
  ...understudyChecks,
  fixture: true,
  scenario: true,
  panel: true,
}

/**
 * Answers `/api` from a mock server in the servers of Vite, `dev` and `preview`; builds are not changed. The
 * state lives as long as the process: it survives reloads, hot updates, and restarts of the server with the
 * same options.
 *
 * The panel is at `/__understudy__/` and, in development, in the corner of each page, for this machine only.
 *
 * @throws UnderstudyError if an option is unknown or has a wrong value. When the server starts, FixtureError, FaultError or
 * UnderstudyError for invalid contents.
 * @example
 * export default defineConfig({ plugins: [understudy({ fixture: 'demo', auth: 'key' })] })
 */
export function understudy(options: VitePluginOptions = {}): Plugin {
  checkOptions('understudy', options, checks)
  const { panel = true, ...given } = options
  return {
    name: 'pipeline-understudy',
    // Vite passes this command for both of its servers. A build does not use the plugin.
    apply: 'serve',
    async configureServer(server) {
      const { understudy, ownFixture } = await answer(server, 'dev', given)
      if (ownFixture !== undefined) watch(server, understudy, ownFixture)
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
  attrs: { type: 'module', src: `${ownPath}/panel/corner.js` },
  injectTo: 'body' as const,
}

/** Answers requests before other middleware, until the server closes. */
async function answer(
  server: ViteDevServer | PreviewServer,
  kind: 'dev' | 'preview',
  given: ServedOptions,
): Promise<UsedUnderstudy> {
  const { root, logger } = server.config
  const used = await useUnderstudy(kind, root, given)
  server.middlewares.use(createListener(used.understudy, { pages: 'beside' }))
  const { printUrls, close } = server
  server.printUrls = () => {
    printUrls()
    const [url] = server.resolvedUrls?.local ?? []
    if (url !== undefined) logger.info(`  ➜  Understudy: ${new URL(`${ownPath}/`, url).href}`)
  }
  server.close = async () => {
    await close.call(server)
    await used.release()
  }
  return used
}

/** Reloads the fixture and the page when the file changes, also for changes during a restart of the server. */
function watch(server: ViteDevServer, understudy: Understudy, file: WatchedFixture): void {
  const stop = watchFixture(file, understudy, (event, text) => {
    if (event === 'loaded') server.ws.send({ type: 'full-reload' })
    else server.config.logger.error(printableLines(text))
  })
  const { close } = server
  server.close = async () => {
    stop()
    await close.call(server)
  }
}
