// Held by `tsc` alone: each line below an expected error does not compile.
import type { AssumptionRow } from '../src/assumptions/assumption-row.ts'
import type { SwitchRow } from '../src/assumptions/switch-table.ts'
import type { AssumptionSwitches } from '../src/index.ts'

export const some: AssumptionSwitches = { bearer: 'decoded', 'list-count': 'items', 'run-lifecycle': 5_000 }
export const texts: AssumptionSwitches = { 'run-lifecycle': '20s', cors: 'none', 'trigger-body': 'copied' }
// @ts-expect-error: there is no such value
export const value: AssumptionSwitches = { 'content-type': 'maybe' }
// @ts-expect-error: it takes a duration
export const lifecycle: AssumptionSwitches = { 'run-lifecycle': true }
// @ts-expect-error: there is no such assumption
export const id: AssumptionSwitches = { 'list-counts': 'items' }
// @ts-expect-error: it has no switch
export const fixed: AssumptionSwitches = { 'not-found': 'any' }

const text = { section: 'Limits', choice: 'One of two.', why: 'Both are seen.' } as const
export const plain: AssumptionRow = text
// @ts-expect-error: a heading that the document does not have
export const elsewhere: AssumptionRow = { ...text, section: 'Limit' }

export const whole: SwitchRow = { values: ['one', 'two'] }
// @ts-expect-error: there is no default
export const valueless: SwitchRow = { values: [] }
