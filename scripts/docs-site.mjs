// `npm run docs:site [-- --base /below/ --out FOLDER]`: builds a site with a search of its own from README.md and docs/, with the live
// demo in a page of it. Its tool is installed here, from docs-site/package.json, so that nobody else installs it. A link that leads nowhere fails.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const site = join(root, 'docs-site')
const source = join(site, 'node_modules/.source')
const { values } = parseArgs({
  options: { base: { type: 'string', default: '/' }, out: { type: 'string', default: join(site, 'dist') } },
})
if (!/^\/(?:[\w.-]+\/)*$/.test(values.base)) {
  console.error(
    '--base is what the site stands below, with a slash at both ends, such as /pipeline-understudy/.',
  )
  process.exit(2)
}
const out = resolve(values.out)
const pages = JSON.parse(readFileSync(join(site, 'pages.json'), 'utf8'))

// Not `npm ci`: the lock file has the binaries of some systems only, and others are found by their versions.
if (!existsSync(join(site, 'node_modules/vitepress')))
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: site,
    stdio: 'inherit',
  })
rmSync(source, { recursive: true, force: true })
for (const name of ['docs', 'decisions', ...readdirSync(root).filter((name) => name.endsWith('.md'))])
  cpSync(join(root, name), join(source, name), { recursive: true })
// The first page of a site is called index.
for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.md'),
)) {
  const text = readFileSync(join(source, path), 'utf8')
  const target = join(source, path === 'README.md' ? 'index.md' : path)
  // A page without parts has nothing to be listed beside it, and its tables need the width.
  const head = /^## /m.test(text) ? '' : '---\naside: false\n---\n\n'
  writeFileSync(target, head + text.replaceAll(/\]\(((?:\.\.\/)*)README\.md/g, '](./$1index.md'))
}
rmSync(join(source, 'README.md'))
cpSync(join(site, 'live-demo.md'), join(source, 'live-demo.md'))
for (const path of linkedFiles()) {
  // A folder is a list of its pages, a file without an ending a page of its text; any other file is what it is.
  if (statSync(join(root, path)).isDirectory()) writePage(`${path}.md`, basename(path), listOf(path))
  else if (extname(path) === '')
    writePage(`${path}.md`, basename(path), `\`\`\`text\n${readFileSync(join(root, path), 'utf8')}\`\`\``)
  else cpSync(join(root, path), join(source, 'public', path), { recursive: true })
}

/** What the pages lead to that is no page, from the root of the repository. */
function linkedFiles() {
  const paths = ['README.md', ...Object.values(pages).flat()].flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/[^!]\[[^\]]*\]\(([^)#\s]+)\)/g)]
      .map(([, target]) => target)
      .filter((target) => !/^https?:|\.md$/.test(target))
      .map((target) => join(dirname(path), target).replace(/\/$/, '')),
  )
  return new Set(paths)
}

function titleOf(path) {
  return path === 'README.md' ? 'Overview' : /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))[1]
}

function writePage(path, title, text) {
  writeFileSync(join(source, path), `---\naside: false\n---\n\n# ${title}\n\n${text}\n`)
}

function listOf(folder) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'))
  return names.map((name) => `- [${titleOf(join(folder, name))}](./${folder}/${name})`).join('\n')
}

const linkOf = (path) => `/${path.replace(/^README\.md$|\.md$/, '')}`
const sidebar = Object.entries(pages).map(([text, paths]) => ({
  text,
  collapsed: false,
  items: paths.map((path) => ({ text: titleOf(path), link: linkOf(path) })),
}))
const config = {
  title: 'pipeline-understudy',
  description: 'A stand-in for the pipeline orchestration service',
  base: values.base,
  outDir: out,
  cleanUrls: false,
  // A server of the reader's own.
  ignoreDeadLinks: [/^http:\/\/(?:127\.0\.0\.1|localhost)/],
  themeConfig: {
    search: { provider: 'local' },
    nav: [{ text: 'Live demo', link: '/live-demo' }],
    sidebar,
    outline: [2, 3],
  },
}
mkdirSync(join(source, '.vitepress/theme'), { recursive: true })
cpSync(join(site, 'site.css'), join(source, '.vitepress/theme/site.css'))
writeFileSync(
  join(source, '.vitepress/theme/index.mjs'),
  "import './site.css'\nexport { default } from 'vitepress/theme'\n",
)
writeFileSync(join(source, '.vitepress/config.mjs'), `export default ${serialize(config)}\n`)
mkdirSync(dirname(out), { recursive: true })
execFileSync(join(site, 'node_modules/.bin/vitepress'), ['build', source], { cwd: site, stdio: 'inherit' })
// What the pages tell of, to be tried beside them.
if (!existsSync(join(root, 'dist/demo')))
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
const demo = ['demo', 'build', '--out', join(out, 'demo'), '--base', `${values.base}demo/`, '--force']
execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), ...demo], { stdio: 'inherit' })
const flaws = readdirSync(out, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.html'))
  .flatMap((path) => flawsOf(path, readFileSync(join(out, path), 'utf8')))
if (flaws.length > 0) {
  console.error(flaws.join('\n'))
  process.exit(1)
}
console.log(`The site is in ${out}.`)

/** What a page loads from elsewhere, and where its links lead to nothing. */
function flawsOf(path, html) {
  const loaded = [...html.matchAll(/<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)="([^"]+)"/g)].map(
    ([, url]) => url,
  )
  const elsewhere = loaded.filter((url) => /^(?:https?:)?\/\//.test(url))
  const linked = [...html.matchAll(/<a\b[^>]*?\bhref="([^"]+)"/g)].map(([, url]) => url)
  const here = new URL(`${values.base}${path}`, 'http://site')
  const lost = [...loaded, ...linked].filter((url) => {
    const { origin, pathname, hash } = new URL(url, here)
    if (origin !== here.origin) return false
    if (!pathname.startsWith(values.base)) return true
    const file = join(out, fileOf(pathname.slice(values.base.length)))
    if (!existsSync(file)) return true
    return hash !== '' && !readFileSync(file, 'utf8').includes(`id="${decodeURIComponent(hash.slice(1))}"`)
  })
  return [
    ...elsewhere.map((url) => `${path} loads ${url} from elsewhere.`),
    ...lost.map((url) => `${path} leads to ${url}, which is not there.`),
  ]
}

function fileOf(path) {
  return path === '' || path.endsWith('/') ? `${path}index.html` : decodeURI(path)
}

/** A value as a module writes it: JSON, but for patterns. */
function serialize(value) {
  if (value instanceof RegExp) return String(value)
  if (Array.isArray(value)) return `[${value.map(serialize).join(', ')}]`
  if (value !== null && typeof value === 'object')
    return `{ ${Object.entries(value)
      .map(([key, inside]) => `${JSON.stringify(key)}: ${serialize(inside)}`)
      .join(', ')} }`
  return JSON.stringify(value)
}
