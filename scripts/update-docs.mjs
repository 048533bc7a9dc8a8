// Writes the generated parts of the documentation: the table of assumptions in README.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { assumptions } from '../dist/index.js'

const cell = (text) => text.replaceAll('|', '\\|')
const rows = Object.entries(assumptions).map(
  ([id, { section, choice, observed, values }]) =>
    `| \`${id}\` | ${section} | ${cell(choice)}${values ? ' ⇄' : ''} | ${cell(observed ?? 'not probed')} |`,
)
const table = [
  '| id (⇄ has a switch) | section | what the understudy does | observed |',
  '|---|---|---|---|',
  ...rows,
].join('\n')

const readme = readFileSync('README.md', 'utf8')
const next = readme.replace(
  /(<!-- assumptions: .*? -->\n)[\s\S]*?(<!-- \/assumptions -->)/,
  (_, start, end) => `${start}\n${table}\n\n${end}`,
)
if (process.argv.includes('--check')) {
  if (next !== readme) {
    console.error('README.md is stale: run `npm run docs`.')
    process.exitCode = 1
  }
} else {
  writeFileSync('README.md', next)
}
