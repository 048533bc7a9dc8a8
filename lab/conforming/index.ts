import type { RequestListener } from 'node:http'
import type { Answering } from '../../contract-tests/runner/transports/transport.ts'
import type { UnderstudyOptions } from '../../src/index.ts'
import { serveMutant } from '../mutants/serve-mutant.ts'
import { choices } from './choices.ts'
import { concurrentClients } from './concurrent-clients.ts'
import { harmlessConventions } from './conventions.ts'
import { harmlessDeployments } from './deployments.ts'
import { harmlessEnvelopes } from './envelopes.ts'
import { harmlessIds } from './ids.ts'
import { choiceVariants } from './implementation-choices.ts'
import { harmlessLists } from './lists.ts'
import { harmlessLives } from './lives.ts'
import { openAttributes } from './open-attributes.ts'
import { harmlessRecords } from './records.ts'
import type { HarmlessVariant } from './variant.ts'

/** Every conforming variant. */
export const harmlessVariants: readonly HarmlessVariant[] = [
  ...harmlessEnvelopes,
  ...harmlessRecords,
  ...openAttributes,
  ...harmlessLists,
  ...harmlessIds,
  ...harmlessLives,
  ...harmlessConventions,
  ...harmlessDeployments,
  ...choices,
  ...choiceVariants,
  ...concurrentClients,
]

/** Serves a conforming variant, with a mock of its own. */
export function serveVariant(
  { options = {}, start, others: further = [], meanwhile, behind, delay }: HarmlessVariant,
  create: (options: UnderstudyOptions) => Answering,
): Answering | RequestListener {
  const good = create(options)
  const starts = [start, ...further.map((variant) => variant.start)].filter((each) => each !== undefined)
  const served = starts.reduce<Answering>((server, each) => serveMutant(server, each), good)
  const others = meanwhile?.(good)
  let nth = 0
  const server: Answering = {
    async answer(request) {
      const nthRequest = ++nth
      const milliseconds = delay?.(nthRequest) ?? 0
      if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds))
      await others?.(nthRequest)
      return served.answer(request)
    },
  }
  return behind?.(server) ?? server
}
