import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  atPath,
  atRow,
  bodyWith,
  defineOperators,
  earlier,
  early,
  handles,
  isUnknown,
  pathOf,
  readList,
  recordIn,
  refusal,
  replies,
  requests,
  rowOf,
  sentence,
  sentRecord,
  shows,
  succeeded,
  type Target,
  valuesOf,
  type When,
} from '../mutant.ts'
import { deletesBlock } from '../sentences.ts'
import {
  type Earlier,
  type Forward,
  type Handler,
  isErrorReply,
  type MutantRequest,
} from '../serve-mutant.ts'

const refuses = sentence('Delete block', 'the deletion is refused')
const forces = sentence('Delete block', '`force`')
const members = rowOf('createBlock', 'pipelines')
const upstream = sentence('Block', '`upstream_blocks`')
const downstream = sentence('Block', '`downstream_blocks`')

const types = valuesOf('createBlock', 'type')
const pipelineTypes = valuesOf('createPipeline', 'type')
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const forced = ({ path }: MutantRequest) => ({ path: `${path}?force=True` })
const siblingOf = ({ path }: MutantRequest, uuid: unknown) =>
  path.replace(/[^/]+$/, encodeURIComponent(String(uuid)))

/** Reads the block in the path of a request. */
async function readBlock(request: MutantRequest, forward: Forward): Promise<Json> {
  const { body } = await forward({ method: 'GET', path: request.path + request.search, body: undefined })
  return isObject(body) && isObject(body.block) ? body.block : {}
}

/** Deletes a block that others depend on, in the graphs that fit. */
const unprotected = (
  aspect: string,
  fits: (block: Json, request: MutantRequest, forward: Forward) => boolean | Promise<boolean>,
  ...triggers: readonly When[]
): Target =>
  handles(at('deleteBlock', aspect, refuses, 'always', ...triggers), async (request, forward) => {
    const block = await readBlock(request, forward)
    const isProtected = list(block.downstream_blocks).length > 0 && !request.query.has('force')
    return isProtected && (await fits(block, request, forward)) ? forward(forced(request)) : forward()
  })

/** Deletes a block that others depend on, in the graphs whose first dependent fits. */
const unprotectedBy = (aspect: string, fits: (dependent: Json, uuid: unknown) => boolean): Target =>
  unprotected(aspect, async (block, request, forward) => {
    const [uuid] = list(block.downstream_blocks)
    return fits(await readBlock({ ...request, path: siblingOf(request, uuid) }, forward), block.uuid)
  })

/** Handles a deletion after a number of refusals of the same deletion, or after a forced one. */
const afterDeletions = (
  aspect: string,
  stated: Statement,
  fits: (refusals: number, forcedBefore: number, forcedBeside: number) => boolean,
  handle: Handler,
): Target =>
  handles(at('deleteBlock', aspect, stated, 'always'), (request, forward) => {
    const before = earlier(request, 'deleteBlock')
    const isRefused = ({ reply }: Earlier) => isErrorReply(reply) && !isUnknown(reply)
    const refusals = before.filter((own) => isRefused(own) && own.request.path === request.path)
    const forcedBefore = before.filter((own) => !isRefused(own) && own.request.query.has('force'))
    const home = request.parameters.pipeline_uuid
    const beside = forcedBefore.filter((own) => own.request.parameters.pipeline_uuid === home)
    return fits(refusals.length, forcedBefore.length, beside.length) ? handle(request, forward) : forward()
  })

const force: Handler = (request, forward) => forward(forced(request))
const refusesForce: Handler = (request, forward) =>
  request.query.has('force') ? refusal('Others depend on it.') : forward()

/** Deletes other blocks of the same pipeline too. */
const cascades = (
  aspect: string,
  links: 'upstream_blocks' | 'downstream_blocks',
  ...triggers: readonly When[]
) =>
  handles(at('deleteBlock', aspect, deletesBlock, 'always', ...triggers), async (request, forward) => {
    const { [links]: others } = await readBlock(request, forward)
    const reply = await forward()
    if (!isErrorReply(reply))
      for (const uuid of list(others)) await forward({ path: `${siblingOf(request, uuid)}?force=True` })
    return reply
  })

/** Refuses a creation, and carries it out with valid values. */
const createsRefused = (operation: 'createPipeline' | 'createBlock', valid: Json): Target =>
  handles(atRow(operation, 'type', ...early, 'after-an-error'), async (request, forward) => {
    const reply = await forward()
    if (isErrorReply(reply)) await forward({ body: bodyWith(request, { ...sentRecord(request), ...valid }) })
    return reply
  })

/** Shows a block with other values after refusing its deletion. */
const afterRefusal = (aspect: string, stated: Statement, values: Json): Target =>
  shows(at('readBlock', aspect, stated, 'always', 'from-the-fourth-request'), (block, request) => {
    const wasRefused = earlier(request, 'deleteBlock').some(
      ({ request: { path, query }, reply }) =>
        path === request.path && isErrorReply(reply) && !query.has('force'),
    )
    return wasRefused ? { ...block, ...values } : block
  })

/** Changes of the graph of blocks and of its protection. */
export const protectionOperators = defineOperators({
  'deletion-not-refused': [
    requests(at('deleteBlock', 'dependants', refuses), forced),
    unprotected(
      'only-one-dependant',
      (block) => list(block.downstream_blocks).length === 1,
      'from-the-second-request',
    ),
    unprotected('two-dependants', (block) => list(block.downstream_blocks).length === 2),
    unprotected('with-upstream', (block) => list(block.upstream_blocks).length > 0),
    unprotected('without-upstream', (block) => list(block.upstream_blocks).length === 0),
    unprotected('with-type', (_, { query }) => query.has('block_type')),
    unprotectedBy('dependant-has-two-upstreams', (below) => list(below.upstream_blocks).length > 1),
    unprotectedBy('not-the-first-upstream', (below, uuid) => list(below.upstream_blocks).indexOf(uuid) > 0),
    ...types.map((type) => unprotectedBy(`dependant-is-${type}`, (below) => below.type === type)),
    ...pipelineTypes.map((type) =>
      unprotected(`in-${type}`, async (_, request, forward) => {
        const path = `/api/pipelines/${request.parameters.pipeline_uuid}${request.search}`
        return recordIn(await forward({ method: 'GET', path, body: undefined }), 'pipeline')?.type === type
      }),
    ),
    unprotectedBy('dependant-has-dependants', (below) => list(below.downstream_blocks).length > 0),
    requests(at('deleteBlock', 'force-false', forces, 'always'), (request) =>
      request.query.has('force') ? forced(request) : undefined,
    ),
  ],
  'deletion-not-refused-again': [
    afterDeletions('second-attempt', refuses, (refusals) => refusals === 1, force),
    afterDeletions('third-attempt', refuses, (refusals) => refusals === 2, force),
    afterDeletions('after-a-force', refuses, (_, before) => before > 0, force),
    afterDeletions('after-a-force-in-the-pipeline', refuses, (_, __, beside) => beside > 0, force),
  ],
  'force-refused': [
    afterDeletions('after-a-refusal', forces, (refusals) => refusals > 0, refusesForce),
    afterDeletions('after-a-force', forces, (_, before) => before > 0, refusesForce),
    handles(at('deleteBlock', 'two-dependants', forces, 'always'), async (request, forward) => {
      if (!request.query.has('force')) return forward()
      const block = await readBlock(request, forward)
      return list(block.downstream_blocks).length > 1 ? refusal('Others depend on it.') : forward()
    }),
  ],
  'refuses-without-reason': [
    handles(
      at('deleteBlock', 'leaf', deletesBlock, ...early, 'only-when-not-forced'),
      async (request, forward) => {
        const block = await readBlock(request, forward)
        return list(block.upstream_blocks).length > 0 && list(block.downstream_blocks).length === 0
          ? refusal('The block has upstream blocks.')
          : forward()
      },
    ),
    afterDeletions(
      'after-a-force',
      deletesBlock,
      (_, before) => before > 0,
      () => refusal('Others depend on it.'),
    ),
  ],
  'deletion-cascades': [
    cascades('dependants', 'downstream_blocks', 'from-the-second-request', 'only-when-forced'),
    cascades('upstream', 'upstream_blocks', 'only-when-forced', 'only-when-not-forced'),
    handles(
      at('deleteBlock', 'same-block-elsewhere', deletesBlock, ...early, 'only-when-not-forced'),
      async (request, forward) => {
        const pipelines = await readList(forward, `/api/pipelines${request.search}`, 'pipelines')
        const reply = await forward()
        if (!isErrorReply(reply))
          for (const { uuid } of pipelines)
            if (uuid !== request.parameters.pipeline_uuid)
              await forward({
                path: `/api/pipelines/${uuid}/blocks/${request.parameters.block_uuid}?force=True`,
              })
        return reply
      },
    ),
  ],
  'links-after-a-refusal': [
    afterRefusal('upstream_blocks', upstream, { upstream_blocks: [] }),
    afterRefusal('downstream_blocks', downstream, { downstream_blocks: [] }),
    afterRefusal('content', refuses, { content: '' }),
    afterRefusal('status', refuses, { status: 'deleted' }),
  ],
  'refused-and-done': [
    handles(at('deleteBlock', 'record', refuses), async (request, forward) => {
      const reply = await forward()
      if (isErrorReply(reply)) await forward(forced(request))
      return reply
    }),
    createsRefused('createPipeline', { type: 'python' }),
    createsRefused('createBlock', { type: 'custom', language: 'python' }),
  ],
})

/** Changes of the blocks of a pipeline, besides their protection. */
export const blockOperators = defineOperators({
  'block-of-any-pipeline': (['readBlock', 'deleteBlock'] as const).map((operation) =>
    handles(atPath(operation, 'pipeline_uuid', ...early, 'after-an-error'), async (request, forward) => {
      const reply = await forward()
      const { pipeline_uuid: pipeline, block_uuid: block } = request.parameters
      const last = succeeded(request, 'readBlock').findLast(
        (own) => own.request.parameters.block_uuid === block,
      )
      const home = last?.request.parameters.pipeline_uuid
      if (!isUnknown(reply) || home === undefined || home === pipeline) return reply
      return forward({ path: `/api/pipelines/${home}/blocks/${block}${request.search}` })
    }),
  ),
  'created-in-first-pipeline-only': [
    requests(at('createBlock', 'pipelines', members), (request) =>
      'pipelines' in sentRecord(request)
        ? { body: bodyWith(request, { ...sentRecord(request), pipelines: [] }) }
        : undefined,
    ),
    requests(at('createBlock', 'pipelines-last', members, ...early), (request) => {
      const { pipelines } = sentRecord(request)
      return Array.isArray(pipelines)
        ? { body: bodyWith(request, { ...sentRecord(request), pipelines: pipelines.slice(0, 1) }) }
        : undefined
    }),
  ],
  'empty-in-other-pipelines': shows(at('readBlock', 'content', members, 'always'), (block, request) => {
    const creation = earlier(request, 'createBlock').findLast(({ request: own }) => {
      const { name, pipelines } = sentRecord(own)
      return name === block.name && Array.isArray(pipelines)
    })
    const isOther = creation && creation.request.parameters.pipeline_uuid !== request.parameters.pipeline_uuid
    return isOther ? { ...block, content: '' } : block
  }),
  'priority-from-one': requests(atRow('createBlock', 'priority'), (request) => {
    const { priority } = sentRecord(request)
    return typeof priority === 'number' && priority > 0
      ? { body: bodyWith(request, { ...sentRecord(request), priority: priority - 1 }) }
      : undefined
  }),
  'deleted-still-answered': handles(at('readBlock', 'record', deletesBlock), async (request, forward) => {
    const reply = await forward()
    const cached = succeeded(request, 'readBlock').findLast((own) => own.request.path === request.path)
    return isErrorReply(reply) && cached ? cached.reply : reply
  }),
  'name-stays-taken': handles(atPath('createBlock', 'name', 'always'), (request, forward) => {
    const uuid = String(sentRecord(request).name).toLowerCase().replaceAll(' ', '_')
    const isTaken = succeeded(request, 'deleteBlock').some(
      ({ request: { parameters } }) =>
        parameters.pipeline_uuid === request.parameters.pipeline_uuid && parameters.block_uuid === uuid,
    )
    return isTaken ? refusal('The name is taken.') : forward()
  }),
  'recreated-inherits': [
    'content',
    'language',
    'color',
    'configuration',
    'upstream_blocks',
    'downstream_blocks',
  ].map((name) =>
    shows(at('readBlock', name, pathOf('createBlock'), 'always'), (block, request) => {
      const ofPath = request.earlier.filter((own) => own.request.path === request.path)
      const deletion = ofPath.findLastIndex((own) => own.request.operation === 'deleteBlock')
      const shown = ofPath.slice(0, Math.max(deletion, 0)).map(({ reply }) => recordIn(reply, 'block'))
      const last = shown.findLast((own) => own !== undefined && name in own)
      return last ? { ...block, [name]: last[name] } : block
    }),
  ),
  'type-fails': types.flatMap((type) =>
    (['readBlock', 'deleteBlock'] as const).map((operation) =>
      replies(atPath(operation, `type-${type}`, 'always'), ({ body: { block } }) =>
        isObject(block) && block.type === type ? refusal('The type is not supported.', 500) : undefined,
      ),
    ),
  ),
})
