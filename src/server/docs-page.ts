import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPackage } from '../files/find-package.ts'
import { readPackageFile } from '../files/package-folder.ts'
import { pageOf, policyOf } from './page.ts'

const files = ['swagger-ui-bundle.js', 'swagger-ui.css'] as const

/** Returns the folder of Swagger UI, installed next to this package or in the current project. */
export function findSwaggerUi(): string | undefined {
  for (const from of [dirname(fileURLToPath(import.meta.url)), process.cwd()]) {
    const folder = findPackage(from, 'swagger-ui-dist')?.folder
    if (folder !== undefined && existsSync(join(folder, files[0]))) return folder
  }
  return undefined
}

/** Returns a file of the page, by its name; `undefined` if there is none. */
export async function readDocsFile(name: string): Promise<string | undefined> {
  if (name === 'start.js') return readPackageFile('templates/docs-page.js')
  const folder = files.some((file) => file === name) ? findSwaggerUi() : undefined
  return folder && readFile(join(folder, name), 'utf8').catch(() => undefined)
}

/** It loads only its own files, and the inline pictures in the style sheet of Swagger UI. */
export const docsPolicy = policyOf("'self'")

/** Returns the page, whose files are at `way` from it. */
export function docsPage(way: string): string {
  return pageOf({
    title,
    head: `<link rel="stylesheet" href="${way}docs/swagger-ui.css"><script defer src="${way}docs/swagger-ui-bundle.js"></script><script defer src="${way}docs/start.js"></script>`,
    body: '<nav class="swagger-ui"><p class="wrapper"><a class="link" href="./">Panel</a></p></nav><main id="document"></main><noscript><p>The page needs JavaScript. The document is at <a href="openapi.json">openapi.json</a>.</p></noscript>',
  })
}

const title = 'understudy: the API'

/** Returns the page if Swagger UI is not installed. */
export const installHint = pageOf({
  title,
  body: '<h1>Swagger UI is not installed</h1><p>This page shows the OpenAPI document by Swagger UI, which is no part of this package. Install it and load the page again:</p><pre>npm install --save-dev swagger-ui-dist</pre><p>The document itself is at <a href="openapi.json">openapi.json</a> and <a href="openapi.yaml">openapi.yaml</a>.</p>',
})
