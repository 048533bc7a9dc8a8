import type { Traits } from '../names.ts'

/** Named sets of values for the factory. */
export const traits = {
  expired: { values: { expires: '2020-01-01 00:00:00.000000+00:00' } },
} as const satisfies Traits<'oauth_access_tokens'>
