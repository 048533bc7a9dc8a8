// The site of README.md and docs/, with the live demo on a page of it.
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { defineConfig } from 'vitepress'

const root = join(import.meta.dirname, '../..')
/** Copied by scripts/docs-site.mjs. */
const pagesFolder = join(root, 'docs-site/node_modules/.pages')
const read = (path) => readFileSync(join(root, path), 'utf8')
const pages = JSON.parse(read('docs-site/pages.json'))
const repository = JSON.parse(read('package.json')).repository.url.replaceAll(/^git\+|\.git$/g, '')

function sidebarItem(path) {
  const text = path === 'README.md' ? 'Overview' : /^# (.+)$/m.exec(read(path))[1]
  return { text, link: `/${path.replace(/^README\.md$|\.md$/, '')}` }
}

/** Links to a file that is no page of the site, such as LICENSE, lead to the repository. */
function resolveLinks({ tokens, env }) {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const href = token.attrGet('href')
    if (token.type !== 'link_open' || /^(?:[a-z]+:|#|\/)/.test(href)) continue
    if (!/\.md(?:#|$)/.test(href)) {
      const path = relative(pagesFolder, join(dirname(env.path), href))
      token.attrSet('href', `${repository}/blob/main/${path}`)
    } else token.attrSet('href', href.replace(/\bREADME\.md/, 'index.md'))
  }
}

/** Ranking of search results. VitePress sends the functions to the browser as text, so they use no other name. */
const searchOptions = {
  // A single letter, such as "a", would match nearly every page.
  processTerm: (term) => (term.length > 1 ? term.toLowerCase() : null),
  // Pages about tasks come before reference and explanation, and before pages for maintainers.
  boostDocument(id) {
    if (/\/(?:decisions\/|[A-Z]+\.html)|\/docs\/(?:evidence|real-server|testing-the-verifier)\.html/.test(id))
      return 0.2
    if (/\/docs\/(?:reference|explanation|spec)\//.test(id)) return 0.5
    return /\/docs\/tutorial\.html/.test(id) ? 0.7 : 1
  },
}

export default defineConfig({
  title: 'pipeline-understudy',
  description: 'A stand-in for the pipeline orchestration service',
  srcDir: pagesFolder,
  rewrites: { 'README.md': 'index.md' },
  // A server of the reader's own.
  ignoreDeadLinks: [/^http:\/\/(?:127\.0\.0\.1|localhost)/],
  markdown: {
    // As GitHub names anchors; tests/docs.test.ts checks links by the same rule.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
    },
    config: (markdown) => void markdown.core.ruler.push('links', resolveLinks),
  },
  // Without parts there is nothing to list beside a page, and its tables need the width.
  transformPageData: ({ filePath, frontmatter }) =>
    /^## /m.test(readFileSync(join(pagesFolder, filePath), 'utf8'))
      ? {}
      : { frontmatter: { ...frontmatter, aside: false } },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: { searchOptions } } },
    nav: [{ text: 'Live demo', link: '/live-demo' }],
    sidebar: Object.entries(pages).map(([text, paths]) => ({ text, items: paths.map(sidebarItem) })),
    outline: [2, 3],
  },
})
