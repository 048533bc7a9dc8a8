import { expect, it } from 'vitest'
import { createUnderstudy } from '../../src/index.ts'
import { profiles } from '../../src/profiles/index.ts'
import { isThorough } from '../../tests/support/depth.ts'
import { serveMock } from '../../tests/support/serve-mock.ts'
import { attacks, createTarget, fixture } from '../attack/index.ts'

const rows = attacks.filter(({ isLong, isCostly = false }) => isLong !== true && isCostly === isThorough)

it.each(rows.map((row) => [row.name, row] as const))(
  'withstands %s',
  async (_, { setting = {}, send, problemOf }) => {
    const { worlds, profile, ...options } = setting
    const understudy = createUnderstudy({
      fixture,
      clock: 'system',
      ...options,
      ...(profile !== undefined && { profile: profiles[profile]! }),
      ...(worlds !== undefined && { worlds: { most: worlds } }),
    })
    const target = createTarget((await serveMock(understudy)).url)

    expect(problemOf(await send(target))).toBeUndefined()
    await target.admin('DELETE', '/worlds/main/faults')
    const next = await target.call('GET', '/api/pipelines', undefined, { 'x-api-key': 'test-key' })
    expect(next.body).toHaveProperty('pipelines')
  },
)
