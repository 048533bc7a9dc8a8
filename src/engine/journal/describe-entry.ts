import type { Change } from '../../factories/change.ts'
import type { WireRecord } from '../../resources/resource.ts'
import type { OperationName } from '../../resources/table-types.ts'
import { readParameters, splitUrl } from '../../shared/http.ts'
import { parseJson, tryParseJson } from '../../shared/json.ts'
import { toMilliseconds } from '../../shared/timestamps.ts'
import { isObject, isSameJson } from '../../shared/values.ts'
import { parametersOf } from '../router.ts'
import type { LoggedBody, LoggedRequest } from './journal.ts'
import type { JournalChange, JournalEntry, JournalMessage } from './journal-entry.ts'
import { noteIgnored, noteRawToken } from './notes.ts'
import type { Redactor } from './redact.ts'

/**
 * Returns the entry of a logged request: parsed, with its changes as patches, without credentials. Without details, its
 * headers, bodies and changes are empty.
 */
export function describeEntry(
  logged: LoggedRequest,
  world: string,
  redactor: Redactor,
  details = true,
): JournalEntry {
  const { sequence, at, method, endpoint, code } = logged
  const { path, search } = splitUrl(logged.url)
  const changes = [logged.changes].flat()
  const { stored = [], count = 0 } = logged.following ?? {}
  const query = redactor.value(readParameters(new URLSearchParams(search)))
  return {
    sequence,
    world,
    at: new Date(at).toISOString(),
    // The id of an operation of the API, or of a resource that the fixture added.
    operation: endpoint?.operation.id as OperationName | undefined,
    method,
    path: redactor.path(path),
    query,
    params: endpoint ? redactor.value(parametersOf(endpoint, path)) : {},
    status: code,
    httpStatus: logged.httpStatus,
    milliseconds: logged.microseconds / 1_000,
    held: logged.held,
    request: details ? describeMessage(logged.headers, logged.requestBody, redactor) : noMessage,
    reply: details ? describeMessage(logged.replyHeaders, logged.replyBody, redactor) : noMessage,
    changes: details ? changes.flatMap((change) => toPatch(change, redactor)) : [],
    followed: (details ? stored : []).map((later) => ({
      at: new Date(toMilliseconds(later.at)).toISOString(),
      changes: later.changes.flatMap((change) => toPatch(change, redactor)),
    })),
    ...(count > stored.length && { omittedFollowed: count - stored.length }),
    ...(logged.omittedChanges > 0 && { omittedChanges: logged.omittedChanges }),
    faults: [...logged.faults],
    notes:
      endpoint && code === 200
        ? noteIgnored(endpoint.resource, endpoint.operation, query, outlineBody(logged, redactor), changes)
        : code === 401
          ? noteRawToken(logged.headers)
          : [],
  }
}

const noMessage: JournalMessage = { headers: {}, body: undefined }

/**
 * Returns the subject of notes: the record of a JSON body with its names and lists, without credentials. A list of
 * entries without details redacts no other values, which may be long.
 */
function outlineBody({ requestBody, endpoint }: LoggedRequest, redactor: Redactor): unknown {
  const body = typeof requestBody === 'string' ? tryParseJson(requestBody) : undefined
  const singular = endpoint?.resource.singular
  const record = isObject(body) && singular !== undefined ? body[singular] : undefined
  if (singular === undefined || !isObject(record)) return undefined
  const outline = Object.entries(record).map(([name, value]) => [name, Array.isArray(value) ? value : null])
  return redactor.value({ [singular]: Object.fromEntries(outline) })
}

function describeMessage(
  given: LoggedRequest['headers'],
  logged: LoggedBody,
  redactor: Redactor,
): JournalMessage {
  const headers = redactor.headers(given)
  if (!logged) return { headers, body: undefined }
  if (typeof logged === 'number') return { headers, body: undefined, omitted: logged }
  try {
    return { headers, body: redactor.value(parseJson(logged)) }
  } catch {
    return { headers, body: redactor.text(logged) }
  }
}

function toPatch({ table, key, previous, next }: Change, redactor: Redactor): JournalChange[] {
  const path = redactor.path(`/${escapePointer(table)}/${escapePointer(key)}`)
  if (!next) return [{ op: 'remove', path, previous: redactor.value(previous) }]
  if (!previous) return [{ op: 'add', path, value: redactor.value(next) }]
  return Object.keys(next)
    .filter((attribute) => !isSameJson(previous[attribute], next[attribute]))
    .map((attribute) => {
      const valueIn = (record: WireRecord) =>
        redactor.value<WireRecord>({ [attribute]: record[attribute] })[attribute]
      const change = { path: `${path}/${escapePointer(attribute)}`, value: valueIn(next) }
      return Object.hasOwn(previous, attribute)
        ? { op: 'replace', ...change, previous: valueIn(previous) }
        : { op: 'add', ...change }
    })
}

/** Escapes a text for a JSON Pointer (RFC 6901). */
function escapePointer(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1')
}
