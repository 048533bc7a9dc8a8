import { tryParseJson } from '../../shared/json.ts'
import { readReply } from '../../shared/read-reply.ts'
import { isObject } from '../../shared/values.ts'

export interface ProbedReply {
  readonly httpStatus: number
  readonly type: string
  readonly text: string
  /** True if it has the form of a list of pipelines or of an error of the API. */
  readonly isEnvelope: boolean
}

/** Sends a request; `undefined` where nothing answers in time, in milliseconds. */
export async function sendProbe(
  url: string,
  { patience = 10_000, ...init }: RequestInit & { readonly patience?: number } = {},
): Promise<ProbedReply | undefined> {
  try {
    const { status, headers, text } = await readReply(url, { ...init, redirect: 'manual' }, patience)
    const type = headers.get('content-type') ?? 'no content type'
    return { httpStatus: status, type, text, isEnvelope: isEnvelope(tryParseJson(text)) }
  } catch {
    return undefined
  }
}

function isEnvelope(body: unknown): boolean {
  if (!isObject(body)) return false
  const { pipelines, error } = body
  return Array.isArray(pipelines) || (isObject(error) && typeof error.code === 'number')
}
