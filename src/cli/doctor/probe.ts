import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { createClient } from '../../admin/client/create-client.ts'
import { notAnAdmin } from '../../admin/client/transport.ts'
import type { RemoteWorld } from '../../admin/client/types.ts'
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
  request: z.object({ headers: z.record(z.string(), z.string()), body: z.optional(z.unknown()) }),
})

/** A request as the mock server received it. */
type ReceivedRequest = z.infer<typeof entrySchema>

/** The body of the request that tests an address. */
export const sentBody = { pipeline: { name: 'doctor' } }

/** The results of the requests through an address. */
export interface Examined {
  readonly address: Address
  /** The reply to a plain read; `undefined` where nothing answers. */
  readonly reply: ProbedReply | undefined
  /** The same with `/api` twice, where the plain one is no reply of the service. */
  readonly replyUnderApiTwice: ProbedReply | undefined
  /** The path of the request that sends everything an application may send. */
  readonly path: string
  /** That request as the mock server received it; `undefined` if it did not. */
  readonly received: ReceivedRequest | undefined
  /** Why the mock server does not report what it receives. */
  readonly refused: string | undefined
}

/**
 * Sends requests through an address. If the admin API is accessible, the mock server reports what arrived in a
 * world of the doctor's own.
 */
export async function examine(address: Address): Promise<Examined> {
  const { url, server, adminToken } = address
  const reply = await sendProbe(`${url}/api/pipelines?_limit=1`)
  const replyUnderApiTwice =
    reply?.isEnvelope === false ? await sendProbe(`${url}/api/api/pipelines?_limit=1`) : undefined
  const name = `doctor-${randomUUID()}`
  // There is no such pipeline, so the request changes nothing, in whichever world it arrives.
  const path = `/api/pipelines/${name}`
  const seen = { address, reply, replyUnderApiTwice, path, received: undefined, refused: undefined }
  if (reply === undefined) return seen
  try {
    const understudy = createClient(server, adminToken === undefined ? {} : { adminToken })
    const world = await understudy.worlds.create(name)
    try {
      await sendEverything(url + path, name)
      const entries = [...(await readJournal(server, understudy)), ...(await readJournal(server, world))]
      return { ...seen, received: entries.findLast((entry) => entry.path.endsWith(name)) }
    } finally {
      await understudy.worlds.delete(name)
    }
  } catch (error) {
    if (error instanceof UnderstudyError) return { ...seen, refused: error.detail }
    throw error
  }
}

/** Sends a request with everything an application may send. If a proxy removes headers, the query still names the world. */
async function sendEverything(url: string, world: string): Promise<void> {
  await sendProbe(`${url}?${new URLSearchParams({ api_key: `doctor~${world}` })}`, {
    method: 'PUT',
    headers: {
      ...sentHeaders,
      [worldHeader]: world,
      [keyHeader]: `doctor~${world}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(sentBody),
  })
}

/** Reads the journal of a world. Another server may listen at the address, so its reply is validated. */
async function readJournal(server: string, { journal }: RemoteWorld): Promise<ReceivedRequest[]> {
  const { success, data } = z.array(entrySchema).safeParse(await journal.entries())
  if (!success) throw notAnAdmin(server)
  return data
}
