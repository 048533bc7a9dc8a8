import { folding as logs } from './log/folding.ts'

import type { StoredPlural } from './records.ts'

/** How records are kept as one that are made at once, by plural; a page that mocks does not load it. */
export const foldings = { logs } satisfies { readonly [P in StoredPlural]?: object }
