import demoRecords from '../fixtures/demo.json' with { type: 'json' }
import emptyRecords from '../fixtures/empty.json' with { type: 'json' }
import type { Fixture } from './factories/fixture.ts'

/** A company with pipelines of every type, two weeks of runs and two users. */
export const demo: Fixture = demoRecords
/** One user, one API key, and nothing else. */
export const empty: Fixture = emptyRecords
