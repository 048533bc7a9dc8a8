import fc from 'fast-check'
import { type FuzzCase, toReproduction } from './cases.ts'
import { checkReplies } from './check-replies.ts'
import { Connection, type ConnectionOutcome, sendBroken } from './connection.ts'
import { garbage } from './garbage.ts'

export interface FuzzOptions {
  readonly port: number
  readonly seed: number
  readonly requests: number
  /** How many requests are under way at once. Default 16. */
  readonly inFlight?: number
}

/** A case with a wrong reply, and its place in the sequence of its seed. */
export interface FuzzFinding {
  readonly sent: FuzzCase
  readonly flaws: readonly string[]
  readonly chunkSeed: number
  readonly index: number
}

export interface FuzzResult {
  readonly sent: number
  /** How many outcomes there were of each kind, such as `request 200` or `header: closed`. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly findings: readonly FuzzFinding[]
}

/** More findings than these say nothing new. */
const enough = 20
const chunkSize = 500

/** Sends invalid requests, and checks every reply. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { port, seed, requests, inFlight = 16 } = options
  const outcomes: Record<string, number> = {}
  const findings: FuzzFinding[] = []
  const connections = Array.from({ length: inFlight }, () => new Connection(port))
  let sent = 0
  while (sent < requests && findings.length < enough) {
    const chunkSeed = seedOf(seed, sent)
    const cases = fc.sample(garbage, { seed: chunkSeed, numRuns: Math.min(chunkSize, requests - sent) })
    let next = 0
    await Promise.all(
      connections.map(async (connection) => {
        while (next < cases.length && findings.length < enough) {
          const index = next++
          const one = cases[index]!
          const outcome = await play(port, one, connection)
          const kind = kindOf(one, outcome)
          outcomes[kind] = (outcomes[kind] ?? 0) + 1
          const flaws = checkReplies(one, outcome)
          if (flaws.length > 0) findings.push({ sent: one, flaws, chunkSeed, index })
        }
      }),
    )
    sent += cases.length
  }
  for (const connection of connections) connection.close()
  return { sent, outcomes, findings }
}

/** Makes a case that was answered wrongly as small as it can be; each try goes to a server that `fresh` gives. */
export async function minimize(
  { chunkSeed, index }: FuzzFinding,
  fresh: () => Promise<{ port: number; close: () => Promise<void> }>,
): Promise<{ sent: FuzzCase; flaws: readonly string[]; reproduction: string } | undefined> {
  let server = await fresh()
  const isFair = async (one: FuzzCase) => {
    const flaws = await flawsOf(server.port, one)
    if (flaws.length === 0) return true
    // It may have died of it.
    await server.close()
    server = await fresh()
    return false
  }
  try {
    const checked = await fc.check(fc.asyncProperty(garbage, isFair), {
      seed: chunkSeed,
      path: String(index),
      numRuns: index + 1,
      interruptAfterTimeLimit: 20_000,
    })
    const [smallest] = checked.counterexample ?? []
    if (smallest === undefined) return undefined
    return {
      sent: smallest,
      flaws: await flawsOf(server.port, smallest),
      reproduction: toReproduction(smallest),
    }
  } finally {
    await server.close()
  }
}

async function flawsOf(port: number, one: FuzzCase): Promise<string[]> {
  const connection = new Connection(port)
  try {
    return checkReplies(one, await play(port, one, connection))
  } finally {
    connection.close()
  }
}

function play(port: number, one: FuzzCase, connection: Connection): Promise<ConnectionOutcome> {
  return one.kind === 'request' ? connection.send(one) : sendBroken(port, one)
}

function kindOf(one: FuzzCase, { ending, replies }: ConnectionOutcome): string {
  const status = replies.at(-1)?.status ?? ending
  return one.kind === 'request' ? `request: ${status}` : `${one.what}: ${status}`
}

/** Chunks of one seed are other sequences than those of its neighbour. */
function seedOf(seed: number, sent: number): number {
  return (Math.imul(seed, 0x9e3779b1) + sent) | 0
}
