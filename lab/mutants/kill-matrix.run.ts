import { brokenServers } from '../../contract-tests/mutants/catalogue.ts'
import { brokenRules, judgeBroken } from '../../contract-tests/tests/check-mutant.ts'
import { harmlessServers } from '../conforming/harmless-servers.ts'
import { judgeDerived } from './check-derived.ts'
import { derivedRuleServers } from './derived-rule-servers.ts'
import { documentServers } from './document-servers.ts'
import { laterServers } from './later-servers.ts'

/** Prints which rules detect which hand-written mutant. */
const rows: string[] = ['| server | meant rule | caught | all rules that caught it |', '|---|---|---|---|']
for (const server of [...brokenServers, ...derivedRuleServers]) {
  const caught = brokenRules(await judgeBroken(server))
  const mark = caught.includes(server.breaks) ? 'yes' : 'NO'
  rows.push(`| ${server.name} | ${server.breaks} | ${mark} | ${caught.join(', ')} |`)
}
for (const server of laterServers) {
  const caught = brokenRules(await judgeBroken(server))
  const mark = caught.length > 0 ? 'yes' : 'NO'
  rows.push(`| ${server.name} | any (kind ${server.kind}) | ${mark} | ${caught.join(', ')} |`)
}
for (const { name, start } of documentServers) {
  const { kind, rules } = await judgeDerived(start)
  rows.push(`| ${name} | any | ${kind === 'killed' ? 'yes' : 'NO'} | ${rules.join(', ')} |`)
}
for (const server of harmlessServers) {
  const raised = brokenRules(await judgeBroken(server))
  rows.push(
    `| ${server.name} | none: harmless | ${raised.length === 0 ? 'nothing' : 'RAISED'} | ${raised.join(', ')} |`,
  )
}
process.stdout.write(`${rows.join('\n')}\n`)
