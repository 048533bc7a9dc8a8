// `npm run docs:site [-- --base /below/ --out FOLDER]`: builds the site of README.md and docs/ with the live
// demo. The first run installs VitePress in docs-site/. Broken links are errors.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const site = join(root, 'docs-site')
const { values } = parseArgs({
  options: { base: { type: 'string', default: '/' }, out: { type: 'string', default: join(site, 'dist') } },
})
if (!/^\/(?:[\w.-]+\/)*$/.test(values.base)) {
  console.error('--base: expected a path that begins and ends with a slash, such as /pipeline-understudy/.')
  process.exit(2)
}
const out = resolve(values.out)
const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: 'inherit' })

// Not `npm ci`: the lock file contains the binaries of some systems only.
if (!existsSync(join(site, 'node_modules/vitepress')))
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], site)
// Pages find the packages of VitePress only below docs-site/.
const pages = join(site, 'node_modules/.pages')
rmSync(pages, { recursive: true, force: true })
for (const name of ['docs', 'decisions', ...readdirSync(root).filter((name) => name.endsWith('.md'))])
  cpSync(join(root, name), join(pages, name), { recursive: true })
cpSync(join(site, 'live-demo.md'), join(pages, 'live-demo.md'))
run('node_modules/.bin/vitepress', ['build', '--base', values.base, '--outDir', out], site)
if (!existsSync(join(root, 'dist/demo'))) run('npm', ['run', 'build'], root)
const demo = ['demo', 'build', '--out', join(out, 'demo'), '--base', `${values.base}demo/`, '--force']
run(process.execPath, [join(root, 'dist/cli/main.js'), ...demo], root)
console.log(`The site is in ${out}.`)
