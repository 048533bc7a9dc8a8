import { tokenEncodings } from '../../contract-tests/runner/token-encodings.ts'
import { returned } from '../mutants/mutant.ts'
import type { MutantRequest } from '../mutants/serve-mutant.ts'

const decode = (raw: string) => tokenEncodings[0]?.decode(raw) ?? ''

/** The decoded token of a request, and those of the sessions so far. */
export function sessionTokens(request: MutantRequest): { readonly token: string; readonly opened: string[] } {
  const raw = /oauth_token=([^;]*)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? ''
  return {
    token: request.headers.get('oauth-token') || decode(raw),
    opened: returned(request, 'createSession').map((session) => decode(String(session.token))),
  }
}
