import { createUnderstudy } from '../engine/create-understudy.ts'
import type { Fixture } from '../factories/fixture-type.ts'
import type { Profile } from '../profiles/define-profile.ts'
import { tokenLocations } from '../shared/credentials.ts'
import { tryParseJson } from '../shared/json.ts'
import { parseTime } from '../shared/timestamps.ts'
import { isNested, isObject } from '../shared/values.ts'
import type { ImportedExchange } from './read-exchanges.ts'

/** A value of recorded replies that is missing or different in replies of the mock. */
export interface ReplyDifference {
  readonly operation: string
  /** Place in the replies: `$.pipelines[].status`. */
  readonly place: string
  count: number
  /** Method and path of the first reply with it. */
  readonly request: string
  readonly recorded: unknown
  readonly mock: unknown
}

/** Result of comparing recorded replies with those of the mock. */
export interface ComparedReplies {
  readonly compared: number
  /** Number of replies for which the mock gives a different one. */
  readonly different: number
  readonly differences: readonly ReplyDifference[]
}

/**
 * Sends the recorded requests to a mock with the fixture, and compares the replies to reads. It sends writes, too, so that
 * later reads see their effects; the timestamps of written records differ and are not compared then.
 *
 * @param selects selects pipelines by their uuid; records of others are not compared.
 */
export async function compareReplies(
  exchanges: readonly ImportedExchange[],
  fixture: Fixture,
  profile: Profile | undefined,
  selects: (pipeline: string) => boolean,
): Promise<ComparedReplies> {
  const start = exchanges[0]?.startedAt
  const understudy = createUnderstudy({
    fixture: { ...fixture, ...(start !== undefined && { clock: new Date(start).toISOString() }) },
    journal: false,
    ...(profile && { profile }),
  })
  const differences = new Map<string, ReplyDifference>()
  let [compared, different, isWritten] = [0, 0, false]
  const tokens = new Set(understudy.model.oauth_access_tokens.all().map(({ token }) => token))
  for (const { endpoint, method, path, token, requestBody, replyBody } of exchanges) {
    const headers = {
      'content-type': 'application/json',
      // The mock lists the tokens of the user who asks.
      ...(token !== undefined && tokens.has(token) && { [tokenLocations.header.name]: token }),
    }
    const body = requestBody === undefined ? {} : { body: JSON.stringify(requestBody) }
    const reply = await understudy.fetch(path, { method, headers, ...body })
    isWritten ||= method !== 'GET'
    // The mock checks no credentials here.
    if (method !== 'GET' || replyBody.error !== undefined) continue
    compared++
    const mock = tryParseJson(await reply.text())
    const found = compare(
      withoutOthers(replyBody, replyBody, selects),
      withoutOthers(mock, replyBody, selects),
      '$',
      isWritten,
    )
    if (found.length > 0) different++
    for (const { place, recorded, mock } of found) {
      const name = `${endpoint.operation.id} ${place}`
      const known = differences.get(name)
      if (known !== undefined) known.count++
      else {
        const operation = endpoint.operation.id
        differences.set(name, { operation, place, count: 1, request: `${method} ${path}`, recorded, mock })
      }
    }
  }
  understudy.dispose()
  return { compared, different, differences: [...differences.values()] }
}

/** Removes the records of other pipelines from lists, and the recorded counts of lists with such records. */
function withoutOthers(body: unknown, recorded: object, selects: (pipeline: string) => boolean): unknown {
  if (!isObject(body)) return body
  const isSelected = (record: unknown) => {
    const pipeline = isObject(record) ? (record.pipeline_uuid ?? record.uuid) : undefined
    return typeof pipeline !== 'string' || selects(pipeline)
  }
  const isWhole = Object.values(recorded).every((list) => !Array.isArray(list) || list.every(isSelected))
  const members = Object.entries(body).filter(([name]) => isWhole || name !== 'metadata')
  return Object.fromEntries(
    members.map(([name, value]) => [name, Array.isArray(value) ? value.filter(isSelected) : value]),
  )
}

interface Found {
  readonly place: string
  readonly recorded: unknown
  readonly mock: unknown
}

function compare(recorded: unknown, mock: unknown, place: string, ignoresTimes: boolean): Found[] {
  if (recorded === mock) return []
  if (Array.isArray(recorded) && Array.isArray(mock) && recorded.length === mock.length) {
    const inner = recorded.flatMap((item, index) => compare(item, mock[index], `${place}[]`, ignoresTimes))
    return firstOfEach(inner)
  }
  if (isObject(recorded) && isObject(mock)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(mock)])
    return [...names].flatMap((name) => compare(recorded[name], mock[name], `${place}.${name}`, ignoresTimes))
  }
  if (ignoresTimes && isTime(recorded) && isTime(mock)) return []
  return [{ place, recorded: summarize(recorded), mock: summarize(mock) }]
}

/** One difference of each place is enough for a list. */
function firstOfEach(found: readonly Found[]): Found[] {
  return [...new Map(found.toReversed().map((each) => [each.place, each])).values()].toReversed()
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && parseTime(value) !== undefined
}

/** Describes a list or an object by its size. */
function summarize(value: unknown): unknown {
  if (Array.isArray(value)) return `${value.length} items`
  return isNested(value) ? `an object with ${Object.keys(value).join(', ')}` : value
}
