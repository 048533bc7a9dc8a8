import { expect, it } from 'vitest'
import { faultyServers } from '../../../contract-tests/mutants/catalogue.ts'
import { everyNth } from '../../../tests/support/depth.ts'
import { verifyShipped } from '../verify-mutant.ts'

it.concurrent.each(everyNth(24, faultyServers).map((server) => [server.name, server] as const))(
  'detects the mutant %s by the rule meant for it',
  async (_, server) => {
    const { rules } = await verifyShipped(server, { only: [server.breaks], bail: true, confirm: false })

    expect(rules).toContain(server.breaks)
  },
)
