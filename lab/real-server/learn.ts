import * as z from 'zod'
import type { Predicted, Profile } from '../../contract-tests/model-based/model.ts'
import { checkTarget } from '../../contract-tests/runner/check-target.ts'
import type { Exchange } from '../../contract-tests/runner/client.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { operationOf } from '../../contract-tests/runner/operation-of.ts'
import type { CheckOptions } from '../../contract-tests/runner/options.ts'
import { createGlob } from '../../src/shared/glob.ts'
import { parseJson } from '../../src/shared/json.ts'
import { compareForms, type FormDifference } from './compare-forms.ts'

/** A difference between a real server and its profile, with the request that shows it. */
export interface Lesson extends FormDifference {
  /** The id of the operation, or `other`. */
  readonly operation: string
  readonly request: string
  /** The number of requests that showed it. */
  readonly times: number
  /** The reason, if it is a documented limit of the profile. */
  readonly reason?: string | undefined
}

const limitsSchema = z.strictObject({
  $schema: z.string().optional(),
  profile: z.string(),
  limits: z.array(z.strictObject({ operation: z.string(), at: z.string(), reason: z.string().min(1) })),
})

/** The documented limits of a profile: globs of operations and of places in a reply, each with its reason. */
export type Limits = z.infer<typeof limitsSchema>

/** Reads the documented limits of a profile. */
export function parseLimits(text: string): Limits {
  return limitsSchema.parse(parseJson(text))
}

/**
 * Sends the sequences to a real server and to its profile, and returns where the forms of their replies differ: HTTP status,
 * errors, attributes, timestamps and values.
 */
export async function learn(
  options: CheckOptions & { readonly profile: Profile },
  limits?: Limits,
): Promise<{ readonly lessons: readonly Lesson[]; readonly compared: number }> {
  const lessons = new Map<string, Lesson>()
  let compared = 0
  const onPredicted = (exchange: Exchange, predicted: Predicted) => {
    compared++
    const operation = operationOf(exchange.method, exchange.path)?.facts.operation ?? 'other'
    const request = `${exchange.method} ${exchange.path}${exchange.requestBody === undefined ? '' : ` ${JSON.stringify(exchange.requestBody)}`}`
    for (const difference of differencesOf(exchange, predicted)) {
      const key = [operation, difference.at, ...kindsOf(difference)].join(' ')
      const known = lessons.get(key)
      const reason = limits?.limits.find(
        (limit) => createGlob(limit.operation)(operation) && createGlob(limit.at)(difference.at),
      )?.reason
      lessons.set(key, {
        operation,
        request,
        reason,
        ...difference,
        ...known,
        times: (known?.times ?? 0) + 1,
      })
    }
  }
  await checkTarget({ ...options, scenarios: ['sequences'], shrink: false, onPredicted })
  return { lessons: [...lessons.values()], compared }
}

function differencesOf({ httpStatus, body }: Exchange, predicted: Predicted): FormDifference[] {
  const status = compareForms(httpStatus, predicted.httpStatus, 'HTTP status')
  return [...status, ...compareForms(withoutTraces(body) ?? {}, predicted.body)]
}

/** Returns a body in the form of the profile, without the text of tracebacks. */
function withoutTraces(body: unknown): unknown {
  if (!isObject(body) || !isObject(body.error) || !('exception' in body.error)) return body
  const { errors: _, message: __, ...error } = body.error
  return { ...body, error: { ...error, message: '<python traceback>' } }
}

/** Reports different values of one place once. Absent values, null and times are separate. */
function kindsOf({ real, profile }: FormDifference): string[] {
  return [real, profile].map((text) => (/^[a-zA-Z]/.test(text) ? text : 'a value'))
}
