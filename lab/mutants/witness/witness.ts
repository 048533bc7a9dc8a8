import { answering } from '../../../contract-tests/targets/answering.ts'
import { targetFixture } from '../../../contract-tests/targets/fixture.ts'
import { createUnderstudy } from '../../../src/index.ts'
import { type Start, serveWrong } from '../wrong-server.ts'
import { backfills } from './backfills.ts'
import { blocks, pipelines } from './pipelines-and-blocks.ts'
import { Recorder, send } from './recorder.ts'
import { credentials, schedules } from './schedules-and-credentials.ts'

/** A good server that answers the same requests alike every time. */
const goodServer = () =>
  answering(createUnderstudy({ fixture: targetFixture, auth: 'login', journal: false }))

/** A walk through everything a client of the document can see. */
async function sequence(to: Recorder): Promise<void> {
  const uuids = await pipelines(to)
  await blocks(to, uuids)
  await backfills(to, uuids)
  await schedules(to)
  await credentials(to)
}

let told: Promise<Recorder> | undefined

function tell(): Promise<Recorder> {
  const recorder = new Recorder(goodServer())
  return sequence(recorder).then(() => recorder)
}

/** How many requests the sequence has. */
export async function sequenceLength(): Promise<number> {
  told ??= tell()
  return (await told).requests.flat().length
}

/**
 * Finds the first request whose reply tells a wrong server from the good one; undefined where no reply of the sequence does.
 * A server that nothing tells from a good one is none that a judge could catch.
 */
export async function firstDifference(start: Start): Promise<string | undefined> {
  told ??= tell()
  const { requests, replies } = await told
  const server = serveWrong(goodServer(), start)
  for (const [index, asked] of requests.entries()) {
    const got = await Promise.all(asked.map((request) => send(server, request)))
    const at = got.findIndex((reply, place) => reply !== replies[index]?.[place])
    if (at !== -1) return `${asked[at]?.method} ${asked[at]?.path}`
  }
  return undefined
}
