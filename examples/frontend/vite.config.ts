import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The API that `dev` and `preview` bring requests to; by default `npx pipeline-understudy serve`. */
const { API = 'http://127.0.0.1:6789' } = process.env

/** Gives the page Mock Service Worker's script, of the very version that is installed. */
function serviceWorker(): Plugin {
  const fileName = 'mockServiceWorker.js'
  const read = () => readFile(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8')
  return {
    name: 'service-worker',
    configureServer({ middlewares }) {
      middlewares.use(`/${fileName}`, async (_request, response) => {
        response.setHeader('content-type', 'text/javascript').end(await read())
      })
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: await read() })
    },
  }
}

export default defineConfig(({ mode }) => {
  const proxy = { '/api': { target: API, changeOrigin: true } }
  return {
    // The built app runs under any path: its addresses are relative, and its routes are after the #.
    base: './',
    plugins: [react(), ...(mode === 'mock' ? [serviceWorker()] : [])],
    server: mode === 'mock' ? {} : { proxy },
    preview: mode === 'mock' ? {} : { proxy },
    build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  }
})
