import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { refusal, sentence, sentRecord, without } from '../mutants/mutant.ts'
import { isErrorReply, type MutantRequest, type Start } from '../mutants/serve-mutant.ts'
import { defineVariants } from './variant.ts'

const unshown = sentence('Summary', 'any other resource: not shown')
const schedulePath = /^\/api\/pipeline_schedules\/[^/]+$/
const schedulesPath = /^\/api\/pipelines\/[^/]+\/pipeline_schedules$/

const refusing =
  (method: string, path: RegExp): Start =>
  () =>
  (request, forward) =>
    request.method === method && path.test(request.path)
      ? refusal(`${method} is not allowed.`, 405, 'method_not_allowed')
      : forward()

/** A server that accepts writes of schedules, but not of all attributes. */
const ignoring =
  (method: string, path: RegExp, names: readonly string[], instead: Json): Start =>
  () =>
  (request, forward) => {
    if (request.method !== method || !path.test(request.path)) return forward()
    return forward({ body: { pipeline_schedule: { ...without(sentRecord(request), ...names), ...instead } } })
  }

/** Runs only active schedules. */
const activeOnly: Start = () => (request, forward) => {
  const id = ({ path }: MutantRequest) => decodeURIComponent(path.split('/')[3] ?? '')
  const isActive = request.earlier.some(
    ({ request: own, reply }) =>
      own.method === 'PUT' &&
      schedulePath.test(own.path) &&
      id(own) === id(request) &&
      !isErrorReply(reply) &&
      sentRecord({ ...own, operation: 'listPipelineSchedules' }).status === 'active',
  )
  return request.operation === 'triggerPipeline' && !isActive
    ? refusal('The schedule is not active.', 400, 'inactive')
    : forward()
}

/** A server with a temporary condition: it refuses requests until a period has passed. */
const limited =
  (requests: number, milliseconds: number): Start =>
  () => {
    let left = requests
    let until = 0
    return (_, forward) => {
      const now = performance.now()
      if (left === 0 && now >= until) left = requests
      if (left > 0) {
        left--
        if (left === 0) until = now + milliseconds
        return forward()
      }
      return refusal('Too many requests; try again later.', 429, 'too_many_requests')
    }
  }

/** A server without HEAD, like frameworks that route by listed methods. */
const withoutHead: Start = () => async (request, forward) => {
  const reply = await forward()
  return request.method === 'HEAD' ? { ...reply, status: 405 } : reply
}

/** A server that creates a schedule with every pipeline. */
const scheduling: Start = () => async (request, forward) => {
  const reply = await forward()
  const pipeline = isObject(reply.body) ? reply.body.pipeline : undefined
  if (request.operation !== 'createPipeline' || isErrorReply(reply) || !isObject(pipeline)) return reply
  const beside = isObject(request.body) ? without(request.body, 'pipeline') : {}
  await forward({
    path: `/api/pipelines/${encodeURIComponent(String(pipeline.uuid))}/pipeline_schedules${request.search}`,
    body: { ...beside, pipeline_schedule: { name: 'daily', tags: ['red'] } },
  })
  return reply
}

/** Servers that follow the conventions beyond the documented operations in part, or not at all. */
export const conventionVariants = defineVariants({
  'schedules-not-created': [unshown, refusing('POST', schedulesPath)],
  'schedules-not-updated': [unshown, refusing('PUT', schedulePath)],
  'backfills-not-read-alone': [unshown, refusing('GET', /^\/api\/backfills\/[^/]+$/)],
  'backfills-not-updated-flat': [unshown, refusing('PUT', /^\/api\/backfills\/[^/]+$/)],
  'pipelines-not-deleted': [unshown, refusing('DELETE', /^\/api\/pipelines\/[^/]+$/)],
  'schedules-without-tags': [unshown, ignoring('PUT', schedulePath, ['tags'], {})],
  'schedules-named-by-the-server': [
    unshown,
    ignoring('POST', schedulesPath, ['name'], { name: 'a schedule' }),
  ],
  'pipelines-with-a-schedule-from-birth': [unshown, scheduling],
  'schedules-run-when-active': ['trigger-inactive', activeOnly],
  'head-not-allowed': [unshown, withoutHead],
  'rate-limited-in-windows': [sentence('Limits', 'rate limits'), limited(400, 900)],
})
