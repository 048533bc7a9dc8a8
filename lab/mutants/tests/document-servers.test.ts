import { expect, it } from 'vitest'
import { firstOf } from '../../../tests/support/depth.ts'
import { judgeDerived } from '../check-derived.ts'
import { documentServers } from '../document-servers.ts'

// Written from the document before the verifier's code was read. What two of them do nobody can tell: which moment a log file
// is of, and whether blanks belong to a key, is shown nowhere. The others are checked by `npm run kill-matrix`.
const unseen = [
  'logs after a timestamp, and not on it',
  'the key in the query is taken with a blank behind it',
]
const seen = documentServers.filter(({ name }) => !unseen.includes(name))

const some = seen.filter((_, index) => index % 8 === 3)

it.concurrent.each(firstOf(1, some).map((server) => [server.name, server] as const))(
  'catches that %s',
  async (_, { start }) => {
    expect((await judgeDerived(start, [], { bail: true })).kind).toBe('killed')
  },
)
