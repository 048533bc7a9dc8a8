import type { Operation } from '../resources/resource.ts'
import type { OperationId, Singular } from '../resources/table-types.ts'
import type { ApiError, ErrorType } from '../shared/errors.ts'
import { errorEnvelope } from '../shared/http.ts'

/** An error that differs from the specification. The first line that matches applies. */
export interface ErrorDeviation {
  /** Error of the specification, narrowed by the missing record or the operation. */
  readonly when: { readonly type: ErrorType; readonly missing?: Singular; readonly operation?: OperationId }
  readonly httpStatus?: number
  /** Answers without a body. */
  readonly isEmpty?: boolean
  readonly code?: number
  readonly type?: string
  /** `{value}` and `{parent}` become the missing key and the parent in the path. */
  readonly message?: string
  /** An error without a type and without the outer `status`: clients read this member instead. */
  readonly exception?: string
  readonly observed: string
}

/** The request that failed: its path as sent, and what it matched. */
export interface FailedRequest {
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
  readonly operation: Operation | undefined
}

/** An error as a server answers it: logical status, HTTP status and body. */
export interface ErrorAnswer {
  readonly code: number
  readonly status: number
  readonly body: string
}

/** Returns the answer of a server in place of an error of the specification; `undefined` if it answers that error. */
export function answerError(
  { errors }: { readonly errors: readonly ErrorDeviation[] },
  error: ApiError,
  failed: FailedRequest,
): ErrorAnswer | undefined {
  const deviation = errors.find(
    ({ when }) =>
      when.type === error.type &&
      (when.missing === undefined || when.missing === error.missing?.singular) &&
      (when.operation === undefined || when.operation === failed.operation?.id),
  )
  if (deviation === undefined) return undefined
  const { code = error.code, httpStatus: status = 200, isEmpty } = deviation
  return { code, status, body: isEmpty ? '' : writeError(deviation, code, error, failed) }
}

function writeError(deviation: ErrorDeviation, code: number, error: ApiError, failed: FailedRequest): string {
  const named = namePath(failed.path)
  const places: Readonly<Record<string, string | undefined>> = {
    value: error.missing?.value,
    parent: named.pk,
    message: error.message,
  }
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => places[name] ?? '')
  if (deviation.exception === undefined) {
    const message = fill(deviation.message ?? error.message)
    return errorEnvelope({ code, message, type: deviation.type ?? error.type })
  }
  return JSON.stringify({
    error: { code, exception: fill(deviation.exception), message: '<python traceback>' },
    url_parameters: failed.operation?.findsItself ? failed.parameters : named,
  })
}

/** Returns the segments of a path as sent, which the server names in errors. */
function namePath(path: string) {
  const [, , resource, pk, child, childPk] = path.split('/')
  return { resource, pk, child, child_pk: childPk }
}
