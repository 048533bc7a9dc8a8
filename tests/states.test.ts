// States of every version that was ever kept by somebody: what cannot be read any more needs a step in `upgrades`.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { stateVersion } from '../src/engine/state/state-format.ts'
import { createUnderstudy, type StorageEvent } from '../src/index.ts'
import { resources } from '../src/resources/index.ts'
import { fileStorage } from '../src/storage/file.ts'

const states = join(import.meta.dirname, 'states')
const files = await readdir(states)

it('has a state of the present version, with a record of every resource that is kept', async () => {
  expect(files).toContain(`version-${stateVersion}.json`)
  const { understudy } = await open(`version-${stateVersion}.json`)
  const model = understudy.model as unknown as Readonly<Record<string, { count(): number }>>
  const kept = resources.filter(({ stored }) => stored !== false)

  expect(kept.filter(({ plural }) => !model[plural]?.count()).map(({ plural }) => plural)).toEqual([])
})

it.each(files)('takes up %s as it was kept', async (file) => {
  const { understudy, events } = await open(file)
  const { model, clock, faults } = understudy

  expect(events.map(({ kind }) => kind)).toEqual(['loaded', 'another fixture'])
  expect(model.backfills.findMany().map(({ name }) => name)).toEqual(['january'])
  expect(model.pipeline_runs.findMany().map(({ status }) => status)).toEqual(['completed'])
  expect(understudy.world('alice').model.backfills.count()).toBe(2)
  expect(understudy.export().custom).toEqual({ teams: [{ id: 1, name: 'ops', colour: 'red' }] })
  expect(new Date(clock.now()).toISOString()).toBe('2026-03-02T09:00:00.000Z')
  expect(faults.list().map(({ operation }) => operation)).toEqual(['listBackfills'])
  expect(understudy.snapshots()).toEqual(['monday'])
})

async function open(file: string) {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-states-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(join(states, file), join(folder, file))
  const events: StorageEvent[] = []
  const understudy = createUnderstudy({
    storage: fileStorage(join(folder, file)),
    onStorage: (event) => events.push(event),
  })
  onTestFinished(() => understudy.close().catch(() => undefined))
  await understudy.ready
  return { understudy, events }
}
