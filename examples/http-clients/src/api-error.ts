/** An error of the API, which arrives under HTTP 200. */
export class ApiError extends Error {
  readonly code: number
  readonly type: string

  constructor({ code, type, message }: { code: number; type: string; message: string }) {
    super(`${code} ${type}: ${message}`)
    this.name = 'ApiError'
    this.code = code
    this.type = type
  }
}

/** Throws an `ApiError` if a body is an error envelope; returns every other body. */
export function unwrap<Body>(body: Body): Body {
  const { error } = (body ?? {}) as { error?: { code?: unknown; type: string; message: string } }
  if (typeof error?.code === 'number') throw new ApiError({ ...error, code: error.code })
  return body
}
