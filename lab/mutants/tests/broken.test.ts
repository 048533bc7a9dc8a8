import { expect, it as itInParts } from 'vitest'
import { brokenServers } from '../../../contract-tests/mutants/catalogue.ts'
import { rules } from '../../../contract-tests/rules/index.ts'
import { brokenRules, judgeBroken } from '../../../contract-tests/tests/judge-broken.ts'
import { everyNth, wholly } from '../../../tests/support/depth.ts'
import { derivedRuleServers } from '../derived-rule-servers.ts'

const it = wholly(itInParts)

it('has at least eighty wrong servers, each with a name of its own', () => {
  expect(brokenServers.length).toBeGreaterThanOrEqual(80)
  expect(new Set(brokenServers.map(({ name }) => name)).size).toBe(brokenServers.length)
  for (const { breaks } of brokenServers) expect(rules.map(({ id }) => id)).toContain(breaks)
})

it('has a wrong server for every rule that can be broken', () => {
  const broken = new Set([...brokenServers, ...derivedRuleServers].map(({ breaks }) => breaks))
  const spared = rules.map(({ id }) => id).filter((id) => !broken.has(id))
  expect(spared).toEqual([])
})

itInParts.concurrent.each(everyNth(4, brokenServers).map((server) => [server.name, server] as const))(
  'catches the server %s by the rule meant for it',
  async (_, server) => {
    expect(brokenRules(await judgeBroken(server, { rule: server.breaks }))).toContain(server.breaks)
  },
)
