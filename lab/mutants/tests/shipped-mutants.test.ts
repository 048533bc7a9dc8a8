import { expect, it } from 'vitest'
import { brokenServers } from '../../../contract-tests/mutants/catalogue.ts'
import { checkMutant, failedRules } from '../../../contract-tests/tests/check-mutant.ts'
import { everyNth } from '../../../tests/support/depth.ts'

it.concurrent.each(everyNth(8, brokenServers).map((server) => [server.name, server] as const))(
  'detects the mutant %s by the rule meant for it',
  async (_, server) => {
    expect(failedRules(await checkMutant(server, { rule: server.breaks }))).toContain(server.breaks)
  },
)
