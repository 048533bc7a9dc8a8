import { expect } from 'vitest'
import { decodeBody } from '../../src/engine/body.ts'
import { createUnderstudy, type Fixture, type Understudy, type UnderstudyReply } from '../../src/index.ts'
import { profiles } from '../../src/profiles/index.ts'
import { company } from './company.ts'
import {
  type AdapterName,
  type Carrier,
  type ComparedReply,
  elsewhere,
  play,
  type Scene,
  scenes,
} from './parity-script.ts'

/** Replies of an adapter to each step of the script, and the state at the end of each scene. */
export type PlayedScript = { heard: (ComparedReply | undefined)[]; state: Fixture }[]

/** Opens an adapter to a mock. */
export type Opener = (
  understudy: Understudy,
  scene: Scene,
) => Promise<{ send: Carrier['send']; close(): Promise<void> }>

/** Opens the engine itself, and passes each reply to a function. */
export const openListened =
  (listen: (reply: UnderstudyReply, scene: Scene) => void): Opener =>
  async (understudy, scene) => ({
    async send({ method, path, headers, body }) {
      const text = body === undefined ? undefined : decodeBody(body)
      const reply = await understudy.dispatch({ method, url: path, headers, body: text })
      if (reply === undefined) {
        return { status: 200, headers: [['content-type', 'text/plain'] as const], body: elsewhere }
      }
      listen(reply, scene)
      return { status: reply.status, headers: Object.entries(reply.headers), body: reply.body }
    },
    async close() {},
  })

export const openMemory = openListened(() => undefined)

export function createMock({ auth, profile }: Scene): Understudy {
  return createUnderstudy({
    fixture: company,
    auth,
    ...(profile !== undefined && { profile: profiles[profile]! }),
  })
}

export async function playAll(name: AdapterName, open: Opener, some = scenes): Promise<PlayedScript> {
  const played: PlayedScript = []
  for (const scene of some) {
    const understudy = createMock(scene)
    const { send, close } = await open(understudy, scene)
    try {
      const heard = await play(scene, {
        name,
        advance: (duration) => understudy.clock.advance(duration),
        send,
      })
      played.push({ heard, state: understudy.export() })
    } finally {
      await close()
    }
  }
  return played
}

const stepsOf = (some: readonly Scene[]) =>
  some.flatMap((scene) => scene.steps.map((step) => ({ scene, step })))
export const steps = stepsOf(scenes)
export const nameOf = ({ scene, step }: (typeof steps)[number], index: number) =>
  `${index} (${scene.name}) ${step.method} ${step.path.slice(0, 120)} ${(step.body ?? '').slice(0, 120)}`

/** Holds what was heard through an adapter against what was heard in memory. */
export function expectParity(
  name: AdapterName,
  played: PlayedScript,
  inMemory: PlayedScript,
  some = scenes,
): void {
  const steps = stepsOf(some)
  const show = (all: PlayedScript) =>
    all
      .flatMap(({ heard }) => heard)
      .map((reply, index) => ({
        step: nameOf(steps[index]!, index),
        ...(steps[index]!.step.except?.[name] === undefined && reply),
      }))

  expect(show(played)).toEqual(show(inMemory))
  expect(played.map(({ state }) => state)).toEqual(
    inMemory.map(({ state }) => JSON.parse(JSON.stringify(state))),
  )
}
