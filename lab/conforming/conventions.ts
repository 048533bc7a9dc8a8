import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { refusal, sentence, sentRecord, without } from '../mutants/mutant.ts'
import { type Handler, isErrorReply, type Start } from '../mutants/serve-mutant.ts'
import { deep, type HarmlessVariant } from './variant.ts'

const unshown = sentence('Summary', 'any other resource: not shown')
const schedulePath = /^\/api\/pipeline_schedules\/[^/]+$/
const schedulesPath = /^\/api\/pipelines\/[^/]+\/pipeline_schedules$/

const refusing =
  (method: string, path: RegExp): Start =>
  () =>
  (heard, ask) =>
    heard.method === method && path.test(heard.path)
      ? refusal(`${method} is not allowed.`, 405, 'method_not_allowed')
      : ask()

/** A server that answers a write of schedules, and lets some of their attributes not be written. */
const ignoring =
  (method: string, path: RegExp, names: readonly string[], instead: Json): Start =>
  () =>
  (heard, ask) => {
    if (heard.method !== method || !path.test(heard.path)) return ask()
    return ask({ body: { pipeline_schedule: { ...without(sentRecord(heard), ...names), ...instead } } })
  }

/** A server that runs only schedules that are active. */
function activeOnly(): Handler {
  const active = new Set<string>()
  return async (heard, ask) => {
    const id = decodeURIComponent(heard.path.split('/')[3] ?? '')
    if (heard.operation === 'triggerPipeline' && !active.has(id))
      return refusal('The schedule is not active.', 400, 'inactive')
    const reply = await ask()
    if (heard.method === 'PUT' && schedulePath.test(heard.path) && !isErrorReply(reply)) {
      if (sentRecord({ ...heard, operation: 'listPipelineSchedules' }).status === 'active') active.add(id)
    }
    return reply
  }
}

/** A server whose conditions last: it asks for patience until a window of time has passed. */
const limited =
  (requests: number, milliseconds: number): Start =>
  () => {
    let left = requests
    let until = 0
    return (_, ask) => {
      const now = performance.now()
      if (left === 0 && now >= until) left = requests
      if (left > 0) {
        left--
        if (left === 0) until = now + milliseconds
        return ask()
      }
      return refusal('Too many requests; try again later.', 429, 'too_many_requests')
    }
  }

/** A server that gives every pipeline a schedule as it is made. */
const scheduling: Start = () => async (heard, ask) => {
  const reply = await ask()
  const pipeline = isObject(reply.body) ? reply.body.pipeline : undefined
  if (heard.operation !== 'createPipeline' || isErrorReply(reply) || !isObject(pipeline)) return reply
  const beside = isObject(heard.body) ? without(heard.body, 'pipeline') : {}
  await ask({
    path: `/api/pipelines/${encodeURIComponent(String(pipeline.uuid))}/pipeline_schedules${heard.search}`,
    body: { ...beside, pipeline_schedule: { name: 'daily', tags: ['red'] } },
  })
  return reply
}

/** Servers that follow the conventions beyond the documented operations in part, or not at all. */
export const harmlessConventions: readonly HarmlessVariant[] = [
  { name: 'schedules-not-created', leaves: unshown, start: refusing('POST', schedulesPath) },
  { name: 'schedules-not-updated', leaves: unshown, start: refusing('PUT', schedulePath) },
  { name: 'backfills-not-read-alone', leaves: unshown, start: refusing('GET', /^\/api\/backfills\/[^/]+$/) },
  {
    name: 'backfills-not-updated-flat',
    leaves: unshown,
    start: refusing('PUT', /^\/api\/backfills\/[^/]+$/),
  },
  { name: 'pipelines-not-deleted', leaves: unshown, start: refusing('DELETE', /^\/api\/pipelines\/[^/]+$/) },
  { name: 'schedules-without-tags', leaves: unshown, start: ignoring('PUT', schedulePath, ['tags'], {}) },
  {
    name: 'schedules-named-by-the-server',
    leaves: unshown,
    start: ignoring('POST', schedulesPath, ['name'], { name: 'a schedule' }),
  },
  { name: 'pipelines-with-a-schedule-from-birth', leaves: unshown, start: scheduling },
  { name: 'schedules-run-when-active', leaves: 'trigger-inactive', start: () => activeOnly() },
  {
    name: 'sessions-say-no-more-than-a-token',
    leaves: 'session-fields',
    start: () => async (heard, ask) => {
      const reply = await ask()
      const body = deep(reply.body, (record) =>
        heard.operation === 'createSession' && 'token' in record ? { token: record.token } : record,
      )
      return isObject(reply.body) ? { ...reply, body } : reply
    },
  },
  {
    name: 'rate-limited-in-windows',
    leaves: sentence('Limits', 'rate limits'),
    start: limited(400, 900),
  },
]
