import { messageOf } from '../../shared/built-ins.ts'
import { isObject } from '../../shared/is-object.ts'
import { firstFlaw } from '../../shared/issues.ts'
import { JsonObjectReader } from '../../shared/json-object-reader.ts'
import type { Slices } from '../../shared/slices.ts'
import { refuseTraps } from '../body.ts'
import {
  upgrades as known,
  type StateDocument,
  StateError,
  stateFormat,
  stateSchema,
  stateVersion,
  type Upgrade,
} from './state-format.ts'
import { checksumOf } from './state-lines.ts'

/** How many bytes are read at once. */
const portion = 65_536
/** What a state says of itself, of which one is still there where others are damaged. */
const marks = [stateFormat, '"savedAt":"', '"savedBy":"', '"laterStart":']
const beginning = `{"format":"${stateFormat}"`

/**
 * Reads a state that was kept, and holds it against its format and its checksum; not the records, which are for the
 * tables they go to.
 *
 * @throws StateError
 */
export function* readStateDocument(
  bytes: Uint8Array,
  upgrades: Readonly<Record<number, Upgrade>> = known,
): Slices<StateDocument> {
  if (!isOurs(bytes))
    throw new StateError('foreign', 'It is not the state of an understudy.', 'STATE_REFUSED')
  refuseNewer(versionAtHead(bytes))
  const [, checksum] = /"checksum":"([0-9a-f]{8})"\}\n?$/.exec(toText(bytes.subarray(-64))) ?? []
  const damage =
    checksum === undefined
      ? new StateError('torn', 'Its end is missing.')
      : new StateError(
          'damaged',
          'It has been changed or damaged since it was written: its checksum is another.',
        )
  if (checksum !== undefined && checksum !== (yield* checksumOf(bytes))) throw damage
  let state: Readonly<Record<string, unknown>>
  try {
    state = yield* parse(bytes)
  } catch (error) {
    throw checksum === undefined ? damage : new StateError('invalid', messageOf(error))
  }
  if (state.format !== stateFormat) throw damage
  const { version } = state
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 0) {
    throw new StateError('invalid', 'Its version is no number.')
  }
  refuseNewer(version)
  if (version === stateVersion && checksum === undefined) throw damage
  return check(upgrade(state, version, upgrades))
}

/** The version that the beginning of a state says: how the rest of it is made is known by that alone. */
function versionAtHead(bytes: Uint8Array): number {
  const head = new RegExp(
    `^\\s*\\{\\s*"format"\\s*:\\s*"${stateFormat}"\\s*,\\s*"version"\\s*:\\s*(\\d{1,15})\\b`,
  )
  return Number(head.exec(toText(bytes.subarray(0, portion)))?.[1] ?? stateVersion)
}

/** Refuses a version of which nothing is known: it is neither damaged nor to be touched. */
function refuseNewer(version: number): void {
  if (version <= stateVersion) return
  throw new StateError(
    'newer',
    `It was written by a later version of this package, in version ${version} of the format; this one knows ${stateVersion}.`,
    'STATE_REFUSED',
  )
}

/** Whether bytes were once a state, whatever has become of them. */
function isOurs(bytes: Uint8Array): boolean {
  const head = toText(bytes.subarray(0, portion))
  return beginning.startsWith(head) || marks.some((mark) => head.includes(mark))
}

/** The text of bytes, whatever they are. */
function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function* parse(bytes: Uint8Array): Slices<Record<string, unknown>> {
  const reader = new JsonObjectReader({ check: refuseTraps })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let begin = 0; begin < bytes.length; begin += portion) {
    reader.push(decoder.decode(bytes.subarray(begin, begin + portion), { stream: true }))
    yield
  }
  reader.push(decoder.decode())
  return reader.end()
}

function upgrade(
  state: Readonly<Record<string, unknown>>,
  from: number,
  upgrades: Readonly<Record<number, Upgrade>>,
): Readonly<Record<string, unknown>> {
  let upgraded = state
  for (let version = from; version < stateVersion; version++) {
    const next = upgrades[version]
    if (next === undefined) throw new StateError('invalid', `Version ${version} of the format is not known.`)
    upgraded = { checksum: '', ...next(upgraded), version: version + 1 }
  }
  return upgraded
}

function check(state: Readonly<Record<string, unknown>>): StateDocument {
  const parsed = stateSchema.safeParse(state)
  if (parsed.success) return parsed.data
  const [{ path, expected, found }] = firstFlaw(parsed.error, state, '$')
  throw new StateError('invalid', `It is broken at ${path}: expected ${expected}; found ${found}.`)
}

/** Reads bytes of whatever kind a storage has kept them in. */
export function toBytes(kept: unknown): Uint8Array {
  if (typeof kept === 'string') return new TextEncoder().encode(kept)
  if (isObject(kept) && ArrayBuffer.isView(kept)) {
    return new Uint8Array(kept.buffer, kept.byteOffset, kept.byteLength)
  }
  if (Object.prototype.toString.call(kept) === '[object ArrayBuffer]')
    return new Uint8Array(kept as ArrayBuffer) // Perhaps of another realm, where `instanceof` says no.
  throw new StateError('foreign', 'The storage gave neither bytes nor a text.', 'STATE_REFUSED')
}
