// Checked by `tsc --noEmit`: each typo below must not compile, or its `@ts-expect-error` is an error itself.

import * as z from 'zod/mini'
import demo from '../fixtures/demo.json' with { type: 'json' }
import { defineRoute } from '../src/admin/define-route.ts'
import { faultKinds } from '../src/engine/faults/fault-kinds.ts'
import { createUnderstudy, type Fixture, type FixtureContents, type JournalFilter } from '../src/index.ts'
import type { RequestPattern, understudyMatchers } from '../src/integrations/matchers/index.ts'
import type { RequestedAttributes } from '../src/profiles/define-profile.ts'
import { defineProfile } from '../src/profiles/define-profile.ts'
import { mageAi0979, type Profile } from '../src/profiles/index.ts'
import { derived as backfillDerived } from '../src/resources/backfill/presenter.ts'
import { attributes, references } from '../src/resources/backfill/schema.ts'
import { defineOperation, type PathTokenContext } from '../src/resources/define-operation.ts'
import { defineResource } from '../src/resources/define-resource.ts'
import type { DerivedAttributes, Traits } from '../src/resources/names.ts'
import { readPipeline } from '../src/resources/pipeline/operations.ts'
import type { RecordModel, RecordOf, ReferringTo } from '../src/resources/records.ts'
import type { NotesOf } from '../src/resources/resource-notes.ts'
import * as userSchema from '../src/resources/user/schema.ts'
import { recordInvalid } from '../src/shared/errors.ts'

const route = { method: 'GET', path: '/api/backfills/:backfill_id', basis: 'convention' } as const
const nested = {
  method: 'PUT',
  path: '/api/pipelines/:pipeline_uuid/backfills/:backfill_id',
  basis: 'documented',
} as const
const row = { section: 'Read backfills', routes: [route] } as const
const nests = { reference: 'pipeline_uuid', under: 'backfills' } as const
const resource = {
  singular: 'backfill',
  key: 'id',
  attributes,
  references,
  derived: backfillDerived,
  presents: ['id', 'name'],
  operations: [],
} as const
const due = { at: 'due_at', run: () => undefined } as const
const astray = defineOperation('backfills', {
  id: 'createBackfill',
  action: 'create',
  section: 'Create backfill',
  routes: [{ method: 'POST', path: '/api/pipelines/:pipeline_uid/backfills', basis: 'documented' }],
})

// The columns of a resource.
defineResource('backfills', resource)
defineResource('backfills', resource, { due: { ...due, predicts: ({ name }) => ({ name }) } })
// @ts-expect-error: an attribute that a reply carries
defineResource('backfills', { ...resource, presents: ['id', 'nmae'] })
// @ts-expect-error: the attribute that identifies a record
defineResource('backfills', { ...resource, key: 'uuid' })
// @ts-expect-error: the time at which something happens
defineResource('backfills', resource, { due: { at: 'due_on', run: () => undefined } })
// @ts-expect-error: the time at which it expires
defineResource('backfills', { ...resource, expiresAt: 'expiry' })
// @ts-expect-error: an attribute that a plan changes beside one that there is
defineResource('backfills', resource, { plan: ({ name }) => ({ name, faild_at: null }) })
defineResource('backfills', resource, {
  // @ts-expect-error: an attribute that is foreseen beside one that there is
  due: { ...due, predicts: ({ name }) => ({ name, faild_at: null }) },
})
// @ts-expect-error: the record within which a key is unique
defineResource('backfills', { ...resource, scope: 'pipeline' })
// @ts-expect-error: an attribute that parents share
defineResource('backfills', { ...resource, sharesWithParents: 'pipeline' })
// @ts-expect-error: whose records are kept, as records.ts says
defineResource('backfills', { ...resource, stored: false })
// @ts-expect-error: a computed attribute that records.ts lists and the row does not
defineResource('backfills', { ...resource, derived: {} })
// @ts-expect-error: a path that names neither the record nor one it refers to
defineResource('backfills', { ...resource, operations: [astray] })
// @ts-expect-error: an attribute that counts reads
defineResource('backfills', { ...resource, counts: 'reads' })
// @ts-expect-error: the order of lists
defineResource('backfills', { ...resource, order: { by: 'made_at' } })
// @ts-expect-error: the name by which people know it
defineResource('backfills', { ...resource, displayName: 'nmae' })
defineResource('backfills', {
  ...resource,
  // @ts-expect-error: the plural that a reference leads to
  references: { pipeline_uuid: { plural: 'pipeline', whenDeleted: 'delete' } },
})
// @ts-expect-error: an operation of another resource
defineResource('backfills', { ...resource, operations: [readPipeline] })
// @ts-expect-error: an attribute that is secret
defineResource('backfills', { ...resource, secrets: ['token'] })
// @ts-expect-error: the record that shows this one
defineResource('backfills', { ...resource, shownIn: 'pipeline_id' })
// @ts-expect-error: the schema of another resource
defineResource('backfills', { ...resource, attributes: userSchema.attributes })
// @ts-expect-error: a plural that records.ts does not list
defineResource('backfill', resource)
// @ts-expect-error: an attribute that a record is completed with
defineResource('backfills', resource, { complete: (record) => ({ nme: 'january', ...record }) })
defineResource('backfills', resource, {
  // @ts-expect-error: an attribute that a factory makes up
  factoryDefaults: (_, model) => ({ start: model.now(), name: 'january' }),
})
defineResource('backfills', {
  ...resource,
  // @ts-expect-error: an attribute that a nested record has by its place
  fixture: { nested: { ...nests, at: (index) => ({ prority: index }) } },
})
// @ts-expect-error: a resource that refers to another, and is forgotten where that one moves
export const moving = { pipeline_schedules: true } satisfies Record<ReferringTo<'users', 'user_id'>, true>

// Functions of a resource.
declare const model: RecordModel
declare const backfill: RecordOf<'backfills'>
// @ts-expect-error: a plural asked of the model
model.table('backfils')
// @ts-expect-error: a status that a function writes
model.table('backfills').change(backfill, { status: 'canceled' })
// @ts-expect-error: an attribute that a function writes
model.table('backfills').insert({ pipeline_uuid: 'sales', nme: 'january' })
// @ts-expect-error: an attribute that it spreads
model.table('backfills').change(backfill, { name: 'january', ...(backfill.id > 1 ? { starts: null } : {}) })
// @ts-expect-error: an attribute that a function searches by
model.table('pipeline_runs').where('backfil_id', 1)
// @ts-expect-error: an attribute that a function reads
backfill.start_date
export const traits = {
  // @ts-expect-error: a value of a trait
  done: { values: { status: 'done' } },
} satisfies Traits<'backfills'>
export const derived = {
  // @ts-expect-error: an attribute that a computed one is made of
  total_run_count: { is: z.int(), derive: (record) => String(record.run_count) },
} satisfies DerivedAttributes<'backfills'>

// The columns of an operation.
defineOperation('backfills', {
  id: 'readBackfill',
  action: 'detail',
  ...row,
  presents: ['id', 'total_run_count'],
})
// @ts-expect-error: an attribute that a reply carries
defineOperation('backfills', { id: 'readBackfill', action: 'detail', ...row, presents: ['id', 'total_runs'] })
defineOperation('backfills', {
  id: 'listBackfills',
  action: 'list',
  ...row,
  // @ts-expect-error: the attribute that a parameter filters by
  parameters: [
    { name: 'by', type: 'string', description: 'By', filter: { attribute: 'pipeline_id', match: 'equal' } },
  ],
})
defineOperation('backfills', {
  id: 'updateBackfill',
  action: 'update',
  ...row,
  // @ts-expect-error: a value that a policy takes and no record holds
  writes: z.object({ status: z.enum(['failed', 'canceled']) }),
})
defineOperation('backfills', {
  id: 'createBackfill',
  action: 'create',
  ...row,
  // @ts-expect-error: an attribute that a policy takes and no record has
  writes: z.object({ name: z.string(), block_uid: z.string() }),
})
defineOperation('backfills', {
  id: 'createBackfill',
  action: 'create',
  ...row,
  writes: z.object({ name: z.string() }),
  // @ts-expect-error: a list that a policy does not take, whose length is bounded
  most: { blocks: 7 },
})
export const authorizePathToken = ({ parameters }: PathTokenContext<'/runs/:token'>) =>
  // @ts-expect-error: a parameter that holds the credential, and that the path does not have
  parameters.tokn === 'let-me-in'
// @ts-expect-error: an assumption that it rests on
defineOperation('backfills', { id: 'readBackfill', action: 'detail', ...row, assumptions: ['not-fuond'] })
// @ts-expect-error: the heading that describes it
defineOperation('backfills', { id: 'readBackfill', action: 'detail', ...row, section: 'Reed backfills' })
defineOperation(
  'backfills',
  {
    id: 'updateBackfill',
    action: 'update',
    ...row,
    routes: [nested],
    writes: z.object({ name: z.string() }),
  },
  ({ model, record, parent, attributes, parameters }) => {
    // @ts-expect-error: an attribute that the policy does not take
    attributes.nme
    // @ts-expect-error: a parameter that the path does not have
    parameters.backfill
    // @ts-expect-error: an attribute of another resource's record
    parent.id
    return model.table('backfills').change(record, { name: `${parent.name} ${attributes.name}` })
  },
)

// Notes, profiles, faults, journal and matchers.
export const notes: Pick<NotesOf<'users'>, 'attributes'> = {
  attributes: {
    id: ['Identifies the user.', 1],
    username: ['Name.', 'mira'],
    email: ['Address.', 'mira@example.com'],
    // @ts-expect-error: a note on an attribute that there is none of
    nickname: ['Name.', 'mi'],
  },
}
export const nestedNotes: Partial<NotesOf<'pipeline_runs'>['attributes']> = {
  'next_steps[].status': ['The status of the run in this step.'],
  // @ts-expect-error: a note on something that an attribute does not hold
  'next_steps[].tme': ['How long the step lasts.'],
}
export const parameters: NotesOf<'backfills'>['parameters'] = {
  pipeline_uuid: ['Pipeline whose backfills are read.', 'daily_sales'],
  // @ts-expect-error: a note on a query parameter that there is none of
  include_runs: ['Whether they are counted.', true],
}
export const profile: Profile = {
  ...mageAi0979,
  operations: {
    // @ts-expect-error: an operation that differs
    listBackfils: { observed: 'backfills' },
  },
}
export const otherProfile: Profile = {
  ...mageAi0979,
  resources: {
    // @ts-expect-error: an attribute in another format
    backfills: { formats: { created: 'seconds' }, observed: 'backfills' },
  },
}
export const thirdProfile: Profile = {
  ...mageAi0979,
  operations: {
    // @ts-expect-error: an attribute that a client may write besides
    createBackfill: { writes: { nme: z.string() }, observed: 'backfills' },
    createBlock: {
      // @ts-expect-error: an attribute that a request is said to write
      narrows: ({ contnt }) => ({ content: contnt }),
      observed: 'block create',
    },
    updateBackfill: {
      // @ts-expect-error: a status that a request is refused for
      refuses: ({ attributes }) => (attributes.status === 'inital' ? recordInvalid('No.') : undefined),
      observed: 'backfills',
    },
    readBlock: {
      // @ts-expect-error: a query parameter that no operation takes
      refuses: ({ query }) => (query.block_typ ? recordInvalid('No.') : undefined),
      observed: 'block read',
    },
    updateBlock: {
      // @ts-expect-error: an attribute that is made of what a request writes
      narrows: (attributes): RequestedAttributes<'blocks'> => ({ ...attributes, contnt: '' }),
      observed: 'block read',
    },
  },
}
const { apply: _apply, answerError: _answerError, ...others } = mageAi0979
const blocks = {
  adds: { timeout: null },
  presentsWithin: ['uuid', 'timeout'],
  observed: 'block read',
} as const
defineProfile({
  ...others,
  resources: { blocks },
  operations: {
    readBlock: { adds: { lines: 0 }, lacks: ['timeout', 'lines', 'outputs'], observed: 'block read' },
    createBackfill: {
      narrows: (attributes) => ({ ...attributes, status: 'initial' }),
      observed: 'backfills',
    },
  },
})
// @ts-expect-error: an attribute that is neither of the table nor added
defineProfile({ ...others, resources: { blocks: { ...blocks, presentsWithin: ['timout'] } } })
const lacking = { readBackfill: { lacks: ['metric'], observed: 'backfills' } } as const
// @ts-expect-error: an attribute that a reply lacks
defineProfile({ ...others, resources: { blocks }, operations: lacking })
// @ts-expect-error: an operation that there is not
defineProfile({ ...others, operations: { createBackfil: { observed: 'backfills' } } })
// @ts-expect-error: a resource that there is not
defineProfile({ ...others, resources: { backfils: { observed: 'backfills' } } })
const understudy = createUnderstudy()
// @ts-expect-error: an operation that a fault strikes
understudy.faults.add({ operation: 'deleteBackfil', drop: true })
// @ts-expect-error: a trait
understudy.factories.backfill.with('finished')
// @ts-expect-error: a choice where the document is silent
understudy.assumptions.switch({ 'list-count': 'itmes' })
// @ts-expect-error: an operation that the journal is asked for
export const filter: JournalFilter = { operation: 'deleteBackfil' }
// @ts-expect-error: what a fault does
faultKinds.hangs
export type Matchers = typeof understudyMatchers

// A route of the admin API.
const answer = { id: 'a', summary: 'A', handle: () => undefined } as const
defineRoute({ ...answer, route: 'GET /worlds/:world/faults/:id' })
// @ts-expect-error: a parameter of a path that selects no world
defineRoute({ ...answer, route: 'GET /worlds/:wrld/faults/:id' })

// Fixtures that are passed to functions: names are checked, and texts may come from JSON.
createUnderstudy({ fixture: demo })
const fromJson = {
  pipelines: [{ name: 'sales', type: String('python') }],
  custom_keys: { teams: String('uuid') },
}
createUnderstudy({ fixture: fromJson }).import(fromJson)
// @ts-expect-error: an attribute that no pipeline has
createUnderstudy({ fixture: { pipelines: [{ nme: 'sales' }] } })
// @ts-expect-error: a resource that does not exist
createUnderstudy({ fixture: { piplines: [] } })
// @ts-expect-error: a number in place of a text
createUnderstudy({ fixture: { pipelines: [{ name: 7 }] } })

// Bodies of expected requests, by operation.
export const pattern: RequestPattern<'updateBackfill'> = {
  body: { backfill: { status: 'cancelled', interval_units: { asymmetricMatch: () => true } } },
}
// @ts-expect-error: an attribute that no request of the operation writes
export const wrongBody: RequestPattern<'updateBackfill'> = { body: { backfill: { sttus: 'failed' } } }
// @ts-expect-error: the body of another operation
export const otherBody: RequestPattern<'createPipeline'> = { body: { backfill: { status: 'failed' } } }
// @ts-expect-error: an operation without a body
export const noBody: RequestPattern<'listBackfills'> = { body: { backfill: {} } }

// A fixture that is written in code, with what each resource holds.
export const contents = {
  clock: '2026-03-01T09:00:00Z',
  api_keys: ['let-me-in'],
  pipelines: [{ name: 'sales', blocks: [{ name: 'load', type: 'data_loader', upstream_blocks: [] }] }],
  backfills: [
    {
      pipeline_uuid: 'sales',
      status: 'failed',
      created_at: '-2d',
      run_script: 'running for 2 reads, then failed',
    },
  ],
  pipeline_runs: [{ pipeline_uuid: 'sales', status: 'a value of a real server' }],
  custom: { teams: [{ colour: 'red' }] },
} satisfies FixtureContents
export const given: Fixture = contents
// @ts-expect-error: an attribute that no pipeline has
export const misspelt = { pipelines: [{ nme: 'sales' }] } satisfies FixtureContents
// @ts-expect-error: a status that no backfill has
export const odd = { backfills: [{ status: 'paused' }] } satisfies FixtureContents
// @ts-expect-error: a resource that there is not
export const unknownPlural = { piplines: [] } satisfies FixtureContents
// @ts-expect-error: a block type that the document does not list
export const block = { pipelines: [{ blocks: [{ type: 'loader' }] }] } satisfies FixtureContents
