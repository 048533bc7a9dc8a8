import { expect, it, onTestFinished } from 'vitest'
import { createUnderstudy, type Scenario, type Understudy } from '../src/index.ts'
import { company } from './support/company.ts'

/** Reads every part of the main world that a change can name. */
async function readParts(understudy: Understudy): Promise<ReadonlyMap<string, string>> {
  const { model, clock, faults, journal } = understudy
  const parts: [string, unknown][] = [
    ['clock', [clock.now(), clock.speed()]],
    ['faults', faults.list()],
    ['assumptions', await understudy.assumptions.list()],
    ['snapshots', understudy.snapshots()],
    ['worlds', understudy.worlds.list().map(({ name }) => name)],
    ['resources', await understudy.resources()],
    ['requests', journal.entries()],
    ['records/pipelines', model.pipelines.all()],
    ['records/blocks', model.blocks.all()],
    ['records/backfills', model.backfills.all()],
    ['records/pipeline_schedules', model.pipeline_schedules.all()],
    ['records/pipeline_runs', model.pipeline_runs.all()],
    ['records/logs', model.logs.all()],
    ['records/oauth_access_tokens', model.oauth_access_tokens.all()],
  ]
  return new Map(parts.map(([part, value]) => [part, JSON.stringify(value)]))
}

const smaller = { pipelines: [{ name: 'a' }] }
const scenario: Scenario = {
  description: 'One pipeline, one fault, one hour later.',
  fixture: { pipelines: [{ name: 'b' }] },
  faults: [{ drop: true }],
  clock: { advance: '1h' },
}

/** Acts in an order in which each changes something, and `undo` after each act that it can reverse. */
const acts: readonly (readonly [string, (understudy: Understudy) => unknown])[] = [
  ['a request', (understudy) => understudy.fetch('http://localhost/api/pipelines')],
  ['adding a fault', ({ faults }) => faults.add({ drop: true, times: 9 })],
  [
    'a request that a fault applies to',
    (understudy) => understudy.fetch('http://localhost/api/pipelines').catch(() => undefined),
  ],
  ['clearing the journal', ({ journal }) => journal.clear()],
  ['a snapshot', (understudy) => understudy.snapshot('before')],
  ['switching an assumption', ({ assumptions }) => assumptions.switch({ cors: 'none' })],
  ['advancing the clock', ({ clock }) => clock.advance('1d')],
  ['running the clock', ({ clock }) => clock.run(2)],
  ['freezing the clock', ({ clock }) => clock.freeze()],
  ['deleting a record', ({ model }) => model.pipelines.delete((query) => query.where({ uuid: 'archive' }))],
  ['signing out', (understudy) => understudy.signOut()],
  ['restoring the snapshot', (understudy) => understudy.restore('before')],
  ['undoing a restore', (understudy) => understudy.undo()],
  ['a reset', (understudy) => understudy.reset()],
  ['undoing a reset', (understudy) => understudy.undo()],
  ['an import', (understudy) => understudy.import(smaller)],
  ['undoing an import', (understudy) => understudy.undo()],
  ['a scenario', ({ scenarios }) => scenarios.start(scenario)],
  ['undoing a scenario', (understudy) => understudy.undo()],
  ['clearing the faults', ({ faults }) => faults.clear()],
  ['creating a world', ({ worlds }) => worlds.create('alice')],
  ['deleting a world', ({ worlds }) => worlds.delete('alice')],
]

it('reports every part that an act has changed', async () => {
  const understudy = createUnderstudy({ fixture: company, clock: 'frozen' })
  onTestFinished(() => understudy.dispose())
  const reported = new Set<string>()
  understudy.changes.subscribe(({ parts }) => {
    for (const part of parts) reported.add(part)
  })
  const unreported: string[] = []
  const withoutEffect: string[] = []
  let before = await readParts(understudy)
  for (const [name, act] of acts) {
    reported.clear()
    await act(understudy)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const after = await readParts(understudy)
    const changed = [...after.keys()].filter((part) => after.get(part) !== before.get(part))
    if (changed.length === 0) withoutEffect.push(name)
    // The journal that was cleared is a part of its own.
    if (reported.has('journal')) reported.add('requests')
    unreported.push(...changed.filter((part) => !reported.has(part)).map((part) => `${name}: ${part}`))
    before = after
  }

  expect(unreported).toEqual([])
  expect(withoutEffect).toEqual([])
})
