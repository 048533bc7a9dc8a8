import type { RequestListener } from 'node:http'
import type { Answering } from '../../contract-tests/runner/transports/transport.ts'
import type { UnderstudyOptions } from '../../src/index.ts'
import { serveMutant } from '../mutants/serve-mutant.ts'
import { choices } from './choices.ts'
import { concurrentClients } from './concurrent-clients.ts'
import { conventionVariants } from './conventions.ts'
import { deploymentVariants } from './deployments.ts'
import { envelopeVariants } from './envelopes.ts'
import { idVariants } from './ids.ts'
import { choiceVariants } from './implementation-choices.ts'
import { listVariants } from './lists.ts'
import { lifeVariants } from './lives.ts'
import { openAttributes } from './open-attributes.ts'
import { recordVariants } from './records.ts'
import type { ConformingVariant } from './variant.ts'

/** Every conforming variant. */
export const conformingVariants: readonly ConformingVariant[] = [
  ...envelopeVariants,
  ...recordVariants,
  ...openAttributes,
  ...listVariants,
  ...idVariants,
  ...lifeVariants,
  ...conventionVariants,
  ...deploymentVariants,
  ...choices,
  ...choiceVariants,
  ...concurrentClients,
]

/** Serves a conforming variant, with its own mock. */
export function serveVariant(
  { options = {}, start, others: further = [], meanwhile, behind, delay }: ConformingVariant,
  create: (options: UnderstudyOptions) => Answering,
): Answering | RequestListener {
  const correct = create(options)
  const starts = [start, ...further.map((variant) => variant.start)].filter((each) => each !== undefined)
  const served = starts.reduce<Answering>((server, each) => serveMutant(server, each), correct)
  const others = meanwhile?.(correct)
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
