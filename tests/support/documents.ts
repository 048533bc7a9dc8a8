import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

export interface DocumentPage {
  /** The path from the root of the repository. */
  readonly path: string
  readonly text: string
}

/** The README, what it leads to under `docs`, and the pages for those who change this. */
export const pages: readonly DocumentPage[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'decisions'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

export const page = (path: string): string => pages.find((page) => page.path === path)!.text

/** The fenced samples of a language, with their pages, except the API specification. */
export function samples(language: string): { path: string; text: string }[] {
  const fence = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')
  return pages
    .filter(({ path }) => !/^(docs\/spec|decisions)\//.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(fence)].map((match) => ({ path, text: match[1]! })))
}
