import { expect, it } from 'vitest'
import { faultyServers } from '../../../contract-tests/mutants/catalogue.ts'
import { everyField } from '../../../contract-tests/mutants/servers/every-field.ts'
import { everyNth } from '../../../tests/support/depth.ts'
import { verifyShipped } from '../verify-mutant.ts'

const named = faultyServers.filter((server) => !everyField.includes(server))
/** Few of the mutants that one function generates for each field; `npm run kill-matrix` verifies all. */
const servers = [...named, ...everyField.filter((_, index) => index % 5 === 0)]

it.concurrent.each(everyNth(24, servers).map((server) => [server.name, server] as const))(
  'detects the mutant %s by the rule meant for it',
  async (_, server) => {
    const { rules } = await verifyShipped(server, { only: [server.breaks], bail: true, confirm: false })

    expect(rules).toContain(server.breaks)
  },
)
