import { isObject } from './is-object.ts'

/** The token inside a raw one: the document does not show how it is decoded; a JSON Web Token is tried. */
export function decodedToken(raw: string): string {
  try {
    const payload: unknown = JSON.parse(Buffer.from(raw.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return isObject(payload) && typeof payload.token === 'string' ? payload.token : raw
  } catch {
    return raw
  }
}
