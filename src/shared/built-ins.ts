/**
 * Recognizes built-in values by their properties. In jsdom, jest and frames, and with polyfills, classes
 * differ between realms.
 */

/** Reports whether a value is a promise of any class. */
export function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Reports whether a value is a date, valid or not. */
export function isDate(value: unknown): value is Date {
  return tagOf(value) === '[object Date]'
}

/** Reports whether a value is a request of the Fetch API, or of a polyfill. */
export function isRequest(value: unknown): value is Request {
  if (typeof value !== 'object' || value === null) return false
  return 'url' in value && 'method' in value && 'arrayBuffer' in value && typeof value.url === 'string'
}

/** Returns the message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return isError(thrown) ? thrown.message : String(thrown)
}

/** Reports whether a thrown value is an error, with the given name if there is one. */
export function isError(thrown: unknown, name?: string): thrown is Error {
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return false
  if (typeof thrown.message !== 'string') return false
  return name === undefined || ('name' in thrown && thrown.name === name)
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value)
}
