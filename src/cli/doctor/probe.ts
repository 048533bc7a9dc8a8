import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { createClient } from '../../admin/client/create-client.ts'
import { notAnAdmin } from '../../admin/client/transport.ts'
import type { RemoteUnderstudy, RemoteWorld } from '../../admin/client/types.ts'
import {
  apiKeyLocations,
  type CredentialLocation,
  tokenLocations,
  worldHeader,
} from '../../shared/credentials.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { type ProbedReply, sendProbe } from './send-probe.ts'

/** The addresses for the application and for the admin API. */
export interface Address {
  /**
   * The address that the application uses: of the understudy, or of a proxy before it. Paths below it begin
   * with /api.
   */
  readonly url: string
  /** The address of the understudy itself, for the admin API. */
  readonly server: string
  readonly adminToken: string | undefined
}

/**
 * Headers and credentials that an application may send, by their names in the journal. The values are
 * invented.
 */
export const sentHeaders: Readonly<Record<string, string>> = Object.fromEntries([
  [worldHeader, ''],
  ...[apiKeyLocations.header, ...Object.values<CredentialLocation>(tokenLocations)]
    .filter(({ in: place }) => place === 'header' || place === 'cookie')
    .map(headerOf),
])
const keyHeader = apiKeyLocations.header.name.toLowerCase()

function headerOf({ in: place, name, scheme }: CredentialLocation): [name: string, value: string] {
  if (place === 'cookie') return ['cookie', `${name}=doctor`]
  return [name.toLowerCase(), scheme === undefined ? 'doctor' : `${scheme} doctor`]
}

/** The parts of a journal entry that the checks read. */
const entrySchema = z.object({
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.unknown()),
  request: z.object({ headers: z.record(z.string(), z.string()), body: z.optional(z.unknown()) }),
})

/** The result of a request through the address. */
export interface Probe {
  /** The request as the understudy received it, or undefined if it did not. */
  readonly received: z.infer<typeof entrySchema> | undefined
  /** True if it reached its own world, not the default one. */
  readonly isApart: boolean
}

/** The results of all requests through an address. */
export interface Examined {
  readonly address: Address
  /** The reply to a plain read; `undefined` where nothing answers. */
  readonly reply: ProbedReply | undefined
  /** The same with `/api` twice, where the plain one is no reply of the service. */
  readonly replyUnderApiTwice: ProbedReply | undefined
  /** Why the understudy does not report what arrives. */
  readonly refused: string | undefined
  readonly asked: Probe | undefined
  readonly wrote: Probe | undefined
}

/**
 * Sends requests through an address. If the admin API is accessible, the understudy reports what arrived in a
 * world of the doctor's own.
 */
export async function examine(address: Address): Promise<Examined> {
  const { url, server, adminToken } = address
  const reply = await sendProbe(`${url}/api/pipelines?_limit=1`)
  const replyUnderApiTwice =
    reply?.isEnvelope === false ? await sendProbe(`${url}/api/api/pipelines?_limit=1`) : undefined
  const seen = { address, reply, replyUnderApiTwice, refused: undefined, asked: undefined, wrote: undefined }
  if (reply === undefined) return seen
  const name = `doctor-${randomUUID()}`
  try {
    const understudy = createClient(server, adminToken === undefined ? {} : { adminToken })
    const world = await understudy.worlds.create(name)
    try {
      const asked = await read(address, understudy, world)
      // Do not write to the default world.
      const wrote = asked?.isApart ? await write(address, understudy, world) : undefined
      return { ...seen, asked, wrote }
    } finally {
      await understudy.worlds.delete(name)
    }
  } catch (error) {
    if (error instanceof UnderstudyError) return { ...seen, refused: error.detail }
    throw error
  }
}

/** Asks for pipelines, with everything an application may send. */
async function read(
  address: Address,
  understudy: RemoteUnderstudy,
  world: RemoteWorld,
): Promise<Probe | undefined> {
  const { name } = world
  // The world is named three times: if a proxy removes headers, the query still names it.
  const query = new URLSearchParams({ _limit: '1', api_key: `doctor~${name}`, doctor: name })
  const headers = { ...sentHeaders, [worldHeader]: name, [keyHeader]: `doctor~${name}` }
  const reply = await sendProbe(`${address.url}/api/pipelines?${query}`, { headers })
  return reply && findReceived(address, understudy, world)
}

async function write(
  address: Address,
  understudy: RemoteUnderstudy,
  world: RemoteWorld,
): Promise<Probe | undefined> {
  const query = new URLSearchParams({ api_key: `doctor~${world.name}` })
  const reply = await sendProbe(`${address.url}/api/pipelines?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [worldHeader]: world.name },
    body: JSON.stringify({ pipeline: { name: 'doctor' } }),
  })
  return reply && findReceived(address, understudy, world)
}

async function findReceived(
  { server }: Address,
  understudy: RemoteUnderstudy,
  world: RemoteWorld,
): Promise<Probe> {
  const own = await readJournal(server, world)
  const others = own.length > 0 ? [] : await readJournal(server, understudy)
  const received = own.at(-1) ?? others.findLast(({ query }) => query.doctor === world.name)
  return { received, isApart: own.length > 0 }
}

/** Reads the journal of a world. Another server may listen at the address, so its reply is validated. */
async function readJournal(server: string, { journal }: RemoteWorld) {
  const { success, data } = z.array(entrySchema).safeParse(await journal.entries())
  if (!success) throw notAnAdmin(server)
  return data
}
