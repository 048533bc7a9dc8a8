import { Agent } from 'node:http'
import fc from 'fast-check'
import { checkReply } from './check-reply.ts'
import { type FuzzRequest, invalidRequest, toReproduction } from './requests.ts'
import { sendRequest } from './send-request.ts'

export interface FuzzOptions {
  readonly port: number
  readonly seed: number
  readonly requests: number
  /** The number of concurrent requests. Default 16. */
  readonly inFlight?: number
}

/** A request with a wrong reply, and its place in the sequence of its seed. */
export interface FuzzFinding {
  readonly sent: FuzzRequest
  readonly problems: readonly string[]
  readonly chunkSeed: number
  readonly index: number
}

export interface FuzzResult {
  readonly sent: number
  /** The number of outcomes of each kind, such as `200` or `closed`. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly findings: readonly FuzzFinding[]
}

/** The number of findings after which a run ends. */
const enough = 20
const chunkSize = 500

/** Sends invalid requests, and checks every reply. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { port, seed, requests, inFlight = 16 } = options
  const outcomes: Record<string, number> = {}
  const findings: FuzzFinding[] = []
  const agent = new Agent({ keepAlive: true })
  let sent = 0
  while (sent < requests && findings.length < enough) {
    const chunkSeed = seedOf(seed, sent)
    const cases = fc.sample(invalidRequest, {
      seed: chunkSeed,
      numRuns: Math.min(chunkSize, requests - sent),
    })
    const left = cases.entries()
    const sendAll = async () => {
      for (const [index, one] of left) {
        if (findings.length >= enough) return
        const outcome = await sendRequest(port, agent, one)
        const kind = typeof outcome === 'string' ? outcome : outcome.status
        outcomes[kind] = (outcomes[kind] ?? 0) + 1
        const problems = checkReply(one, outcome)
        if (problems.length > 0) findings.push({ sent: one, problems, chunkSeed, index })
      }
    }
    await Promise.all(Array.from({ length: inFlight }, sendAll))
    sent += cases.length
  }
  agent.destroy()
  return { sent, outcomes, findings }
}

/** Minimizes a request with a faulty reply. Each attempt uses a server from `fresh`. */
export async function minimize(
  { chunkSeed, index }: FuzzFinding,
  fresh: () => Promise<{ port: number; close: () => Promise<void> }>,
): Promise<{ sent: FuzzRequest; problems: readonly string[]; reproduction: string } | undefined> {
  let server = await fresh()
  const isAnsweredCorrectly = async (one: FuzzRequest) => {
    const problems = await problemsOf(server.port, one)
    if (problems.length === 0) return true
    // The request may have ended the server.
    await server.close()
    server = await fresh()
    return false
  }
  try {
    const checked = await fc.check(fc.asyncProperty(invalidRequest, isAnsweredCorrectly), {
      seed: chunkSeed,
      path: String(index),
      numRuns: index + 1,
      interruptAfterTimeLimit: 20_000,
    })
    const [smallest] = checked.counterexample ?? []
    if (smallest === undefined) return undefined
    return {
      sent: smallest,
      problems: await problemsOf(server.port, smallest),
      reproduction: toReproduction(smallest),
    }
  } finally {
    await server.close()
  }
}

async function problemsOf(port: number, one: FuzzRequest): Promise<string[]> {
  const agent = new Agent()
  try {
    return checkReply(one, await sendRequest(port, agent, one))
  } finally {
    agent.destroy()
  }
}

/** Returns the seed of a chunk, so that seeds in a row share no chunks. */
function seedOf(seed: number, sent: number): number {
  return (Math.imul(seed, 0x9e3779b1) + sent) | 0
}
