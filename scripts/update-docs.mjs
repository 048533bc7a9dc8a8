// Writes the generated parts of the documentation: the table of assumptions in README.md, and the configuration of
// nginx in docs/scale-out/kubernetes.yaml. With --check it only tells whether they are stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { assumptions } from '../dist/index.js'
import { nginxConfiguration } from './lib/nginx-configuration.mjs'

function withAssumptions(readme) {
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
  return readme.replace(
    /(<!-- assumptions: .*? -->\n)[\s\S]*?(<!-- \/assumptions -->)/,
    (_, start, end) => `${start}\n${table}\n\n${end}`,
  )
}

/** The ConfigMap of nginx: the documented configuration, with the Services of the replicas as its servers. */
function withNginx(manifest) {
  const [, replicas] = /kind: StatefulSet\n[\s\S]*?\n {2}replicas: (\d+)\n/.exec(manifest)
  const servers = Array.from({ length: Number(replicas) }, (_, index) => `understudy-${index}:6789`)
  const [, configuration] = /^(?:#.*\n)*([\s\S]*)$/.exec(nginxConfiguration(servers))
  const lines = [
    '# docs/scale-out/nginx.conf, with the Services of the replicas as its servers.',
    ...configuration.trimEnd().split('\n'),
  ]
  const indented = lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')
  return manifest.replace(/( {2}nginx\.conf: \|\n)[\s\S]*?\n(?=---\n)/, (_, key) => `${key}${indented}\n`)
}

const generated = { 'README.md': withAssumptions, 'docs/scale-out/kubernetes.yaml': withNginx }
for (const [file, generate] of Object.entries(generated)) {
  const before = readFileSync(file, 'utf8')
  const after = generate(before)
  if (after === before) continue
  if (process.argv.includes('--check')) {
    console.error(`${file} is stale: run \`npm run docs\`.`)
    process.exitCode = 1
  } else {
    writeFileSync(file, after)
  }
}
