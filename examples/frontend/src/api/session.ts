/** The signed-in user, stored for the tab, so that a reload needs no new sign-in. */
export interface Session {
  readonly apiKey: string
  /** The decoded token; a server without users gives none. */
  readonly token?: string
  readonly email?: string
}

const key = 'night-shift.session'
let session: Session | undefined = read()

function read(): Session | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export function currentSession(): Session | undefined {
  return session
}

const listeners = new Set<() => void>()

/** Calls a listener whenever somebody signs in or out. */
export function watchSession(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function storeSession(next: Session | undefined): void {
  session = next
  for (const listener of listeners) listener()
  if (next === undefined) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, JSON.stringify(next))
}

/** The `token` inside the raw token of a session, which is what the header `OAUTH-TOKEN` takes. */
export function decodeToken(raw: string): string {
  const [, payload = ''] = raw.split('.')
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )
  return (JSON.parse(new TextDecoder().decode(bytes)) as { token: string }).token
}
