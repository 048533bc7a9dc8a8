import { documentLines } from '../rules/document.ts'
import { isObject } from './is-object.ts'

/** The name of the HTTP status of a reply in a difference. */
export const statusAttribute = 'HTTP status'

/** Describes how a text differs from the expected one. */
export function changeOf(expected: string, received: string): string {
  const withoutBlanks = (text: string) => text.replaceAll(/\s/g, '')
  if (received === expected.trim()) return 'text without its outer blanks'
  if (received.toLowerCase() === expected.toLowerCase()) return 'text in other letters'
  if (withoutBlanks(received) === withoutBlanks(expected)) return 'text with other blanks'
  if (expected.startsWith(received)) return 'beginning of the text'
  return received.includes(expected) ? 'text with additions' : 'other text'
}

/** The form of a text that a client or the server has chosen. */
export const freeText = 'text'

/** The words that the specification quotes, such as the values of a status. */
const quotedWords = new Set(
  documentLines().flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, word]) => word)),
)

/** Returns a value without the parts that differ in each run: two runs on the same server show the same. */
export function formOf(value: unknown, attribute?: string): string {
  if (value === undefined) return '(absent)'
  if (value === '') return 'empty text'
  if (typeof value === 'string') return attribute === undefined ? textForm(value) : wordForm(value)
  if (typeof value === 'number') return numberForm(value, attribute)
  if (Array.isArray(value)) {
    const forms = new Set(
      value.map((item) => (typeof item === 'number' ? 'number' : formOf(item, attribute ?? 'item'))),
    )
    return `[${[...forms].sort().slice(0, mostForms).join(', ')}]`
  }
  if (!isObject(value)) return String(value)
  const entries = Object.entries(value).map(([name, inner]) => {
    const form = formOf(inner, name)
    return [freeText, 'integer'].includes(form) ? nameForm(name) : `${nameForm(name)}: ${form}`
  })
  return `{${[...new Set(entries)].sort().join(', ')}}`
}

/** Maximum number of list items in a form. */
const mostForms = 16

/** A word of the specification does not change; a client or the server has chosen any other text. */
function wordForm(text: string): string {
  const form = textForm(text)
  return quotedWords.has(text) || form.startsWith(timestampForm) ? form : freeText
}

function numberForm(value: number, attribute: string | undefined): string {
  const isCode = attribute === statusAttribute || attribute === 'code'
  return Number.isInteger(value) && Math.abs(value) > 1 && !isCode ? 'integer' : String(value)
}

/** A member's name, unless it is one of a record. */
function nameForm(name: string): string {
  return /^[a-z_]+$/i.test(name) ? name : '…'
}

/** The names of the members of a reply, without their values. */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${shapeOf(value[0])}]`
  if (!isObject(value)) return ''
  const members = Object.entries(value).map(([name, inner]) => `${name}${shapeOf(inner)}`)
  return `{${members.sort().join(', ')}}`
}

const timestampForm = 'timestamp'

/** A text without names, ids, timestamps and paths of files. */
export function textForm(text: string): string {
  if (/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/.test(text)) return `${timestampForm} in seconds`
  if (/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/.test(text)) return timestampForm
  const plain = text
    .replaceAll(/["'`][^"'`]*["'`]/g, '…')
    .replaceAll(/\S+/g, (word) => (/\d|\/.*\//.test(word) ? '…' : word))
  return plain.length > 80 ? plain.slice(0, 80) : plain
}

/** Returns a path without the parts that differ for each record. */
export function patternOf(path: string): string {
  const [plain = ''] = path.split('?')
  return plain.replaceAll(
    /(?<=\/(?:pipelines|blocks|backfills|pipeline_schedules|pipeline_runs)\/)[^/]+/g,
    '…',
  )
}
