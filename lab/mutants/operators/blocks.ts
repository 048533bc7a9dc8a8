import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  atRow,
  bodyWith,
  defineOperators,
  facts,
  handles,
  isUnknown,
  pathOf,
  readList,
  recordIn,
  refusal,
  remembers,
  replies,
  requests,
  rowOf,
  sentence,
  sentRecord,
  type Target,
} from '../mutant.ts'
import { type Ask, type Handler, isErrorReply, type MutantRequest } from '../serve-mutant.ts'
import { always, named, type Trigger } from '../triggers.ts'

const deletes = sentence('Delete block', 'deletes a block from a pipeline')
const refuses = sentence('Delete block', 'the deletion is refused')
const forces = sentence('Delete block', '`force`')
const members = rowOf('createBlock', 'pipelines')
const upstream = sentence('Block', '`upstream_blocks`')
const downstream = sentence('Block', '`downstream_blocks`')

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const forced = ({ path }: MutantRequest) => ({ path: `${path}?force=True` })
const siblingOf = ({ path }: MutantRequest, uuid: unknown) =>
  path.replace(/[^/]+$/, encodeURIComponent(String(uuid)))

/** Reads the block in the path of a request. */
async function readBlock(request: MutantRequest, ask: Ask): Promise<Json> {
  const { body } = await ask({ method: 'GET', path: request.path + request.search, body: undefined })
  return isObject(body) && isObject(body.block) ? body.block : {}
}

/** Deletes a block that others depend on, in the graphs that fit. */
const unprotected = (
  aspect: string,
  fits: (block: Json, request: MutantRequest, ask: Ask) => boolean | Promise<boolean>,
  triggers: readonly Trigger[] = always,
): Target =>
  handles(at('deleteBlock', aspect, refuses, triggers), async (request, ask) => {
    const block = await readBlock(request, ask)
    const isProtected = list(block.downstream_blocks).length > 0 && !request.query.has('force')
    return isProtected && (await fits(block, request, ask)) ? ask(forced(request)) : ask()
  })

/** Handles a deletion after a number of refusals of the same deletion, or after a forced one. */
const afterDeletions = (
  aspect: string,
  stated: ReturnType<typeof sentence>,
  fits: (refusals: number, forcedBefore: number) => boolean,
  handle: Handler,
): Target =>
  remembers(at('deleteBlock', aspect, stated, always), (applies) => () => {
    const refusals = new Map<string, number>()
    let forcedBefore = 0
    return async (request, ask) => {
      if (!applies(request)) return ask()
      const before = refusals.get(request.path) ?? 0
      const reply = await (fits(before, forcedBefore) ? handle(request, ask) : ask())
      if (isErrorReply(reply) && !isUnknown(reply)) refusals.set(request.path, before + 1)
      else if (request.query.has('force')) forcedBefore++
      return reply
    }
  })

/** Changes the links of a block after something happened to it. */
const linksAfter = (
  aspect: string,
  stated: ReturnType<typeof sentence>,
  happened: (request: MutantRequest, isError: boolean) => boolean,
  change: (block: Json) => Json,
): Target =>
  remembers(at('readBlock', aspect, stated, named('always', 'from-the-fourth-request')), (applies) => () => {
    const affected = new Set<string>()
    return async (request, ask) => {
      const reply = await ask()
      if (happened(request, isErrorReply(reply))) affected.add(request.path)
      const block = recordIn(reply, 'block')
      return applies(request) && affected.has(request.path) && block
        ? { ...reply, body: { block: change(block) } }
        : reply
    }
  })
const wasRefused = ({ operation, query }: MutantRequest, isError: boolean) =>
  operation === 'deleteBlock' && isError && !query.has('force')

/** Changes of the graph of blocks and of its protection. */
export const protectionOperators = defineOperators({
  'deletion-not-refused': [
    'deletes a block that others depend on',
    requests(at('deleteBlock', 'dependants', refuses), forced),
    unprotected(
      'only-one-dependant',
      (block) => list(block.downstream_blocks).length === 1,
      named('always', 'from-the-second-request'),
    ),
    unprotected('two-dependants', (block) => list(block.downstream_blocks).length === 2),
    unprotected('with-upstream', (block) => list(block.upstream_blocks).length > 0),
    unprotected('without-upstream', (block) => list(block.upstream_blocks).length === 0),
    unprotected('with-type', (_, { query }) => query.has('block_type')),
    unprotected('dependant-has-two-upstreams', async (block, request, ask) => {
      const [uuid] = list(block.downstream_blocks)
      const below = await readBlock({ ...request, path: siblingOf(request, uuid) }, ask)
      return list(below.upstream_blocks).length > 1
    }),
    unprotected('not-the-first-upstream', async (block, request, ask) => {
      const [uuid] = list(block.downstream_blocks)
      const below = await readBlock({ ...request, path: siblingOf(request, uuid) }, ask)
      return list(below.upstream_blocks).indexOf(block.uuid) > 0
    }),
    unprotected('dependant-has-dependants', async (block, request, ask) => {
      const [uuid] = list(block.downstream_blocks)
      const below = await readBlock({ ...request, path: siblingOf(request, uuid) }, ask)
      return list(below.downstream_blocks).length > 0
    }),
    requests(at('deleteBlock', 'force-false', forces, always), (request) =>
      request.query.has('force') ? forced(request) : undefined,
    ),
  ],
  'deletion-not-refused-again': [
    'deletes a block that others depend on after earlier deletions',
    afterDeletions(
      'second-attempt',
      refuses,
      (refusals) => refusals === 1,
      (request, ask) => ask(forced(request)),
    ),
    afterDeletions(
      'third-attempt',
      refuses,
      (refusals) => refusals === 2,
      (request, ask) => ask(forced(request)),
    ),
    afterDeletions(
      'after-a-force',
      refuses,
      (_, before) => before > 0,
      (request, ask) => ask(forced(request)),
    ),
  ],
  'force-refused': [
    'refuses a forced deletion',
    afterDeletions(
      'after-a-refusal',
      forces,
      (refusals) => refusals > 0,
      (request, ask) => (request.query.has('force') ? refusal('Others depend on it.') : ask()),
    ),
    afterDeletions(
      'after-a-force',
      forces,
      (_, before) => before > 0,
      (request, ask) => (request.query.has('force') ? refusal('Others depend on it.') : ask()),
    ),
    handles(at('deleteBlock', 'two-dependants', forces, always), async (request, ask) => {
      if (!request.query.has('force')) return ask()
      const block = await readBlock(request, ask)
      return list(block.downstream_blocks).length > 1 ? refusal('Others depend on it.') : ask()
    }),
  ],
  'refuses-without-reason': [
    'refuses to delete a block on which no other depends',
    handles(
      at('deleteBlock', 'leaf', deletes, named('always', 'from-the-second-request', 'only-when-not-forced')),
      async (request, ask) => {
        const block = await readBlock(request, ask)
        return list(block.upstream_blocks).length > 0 && list(block.downstream_blocks).length === 0
          ? refusal('The block has upstream blocks.')
          : ask()
      },
    ),
    afterDeletions(
      'after-a-force',
      deletes,
      (_, before) => before > 0,
      () => refusal('Others depend on it.'),
    ),
  ],
  'deletion-cascades': [
    'deletes other blocks too',
    handles(
      at(
        'deleteBlock',
        'dependants',
        deletes,
        named('always', 'from-the-second-request', 'only-when-forced'),
      ),
      async (request, ask) => {
        const { downstream_blocks } = await readBlock(request, ask)
        const reply = await ask()
        if (!isErrorReply(reply))
          for (const uuid of list(downstream_blocks))
            await ask({ path: `${siblingOf(request, uuid)}?force=True` })
        return reply
      },
    ),
    handles(
      at('deleteBlock', 'upstream', deletes, named('always', 'only-when-forced', 'only-when-not-forced')),
      async (request, ask) => {
        const { upstream_blocks } = await readBlock(request, ask)
        const reply = await ask()
        if (!isErrorReply(reply))
          for (const uuid of list(upstream_blocks))
            await ask({ path: `${siblingOf(request, uuid)}?force=True` })
        return reply
      },
    ),
    handles(
      at(
        'deleteBlock',
        'same-block-elsewhere',
        deletes,
        named('always', 'from-the-second-request', 'only-when-not-forced'),
      ),
      async (request, ask) => {
        const pipelines = await readList(ask, `/api/pipelines${request.search}`, 'pipelines')
        const reply = await ask()
        if (!isErrorReply(reply))
          for (const { uuid } of pipelines)
            if (uuid !== request.parameters.pipeline_uuid)
              await ask({ path: `/api/pipelines/${uuid}/blocks/${request.parameters.block_uuid}?force=True` })
        return reply
      },
    ),
  ],
  'links-after-a-refusal': [
    'changes the links of a block whose deletion was refused',
    linksAfter('upstream_blocks', upstream, wasRefused, (block) => ({ ...block, upstream_blocks: [] })),
    linksAfter('downstream_blocks', downstream, wasRefused, (block) => ({ ...block, downstream_blocks: [] })),
    linksAfter('content', refuses, wasRefused, (block) => ({ ...block, content: '' })),
    linksAfter('status', refuses, wasRefused, (block) => ({ ...block, status: 'deleted' })),
  ],
  'refused-and-done': [
    'refuses a request and carries it out',
    handles(at('deleteBlock', 'record', refuses), async (request, ask) => {
      const reply = await ask()
      if (isErrorReply(reply)) await ask(forced(request))
      return reply
    }),
    handles(
      atRow('createPipeline', 'type', named('always', 'from-the-second-request', 'after-an-error')),
      async (request, ask) => {
        const reply = await ask()
        if (isErrorReply(reply))
          await ask({ body: bodyWith(request, { ...sentRecord(request), type: 'python' }) })
        return reply
      },
    ),
    handles(
      atRow('createBlock', 'type', named('always', 'from-the-second-request', 'after-an-error')),
      async (request, ask) => {
        const reply = await ask()
        if (isErrorReply(reply))
          await ask({
            body: bodyWith(request, { ...sentRecord(request), type: 'custom', language: 'python' }),
          })
        return reply
      },
    ),
  ],
})

/** Changes of the blocks of a pipeline, besides their protection. */
export const blockOperators = defineOperators({
  'block-of-any-pipeline': [
    'finds a block in a pipeline that does not contain it',
    (['readBlock', 'deleteBlock'] as const).map((operation) =>
      remembers(
        at(
          operation,
          'pipeline_uuid',
          pathOf(operation),
          named('always', 'from-the-second-request', 'after-an-error'),
        ),
        (applies) => () => {
          const homes = new Map<string, string>()
          return async (request, ask) => {
            const reply = await ask()
            const { pipeline_uuid: pipeline = '', block_uuid: block = '' } = request.parameters
            if (request.operation === 'readBlock' && !isErrorReply(reply)) homes.set(block, pipeline)
            const home = homes.get(block)
            if (!applies(request) || !isUnknown(reply) || home === undefined || home === pipeline)
              return reply
            return ask({ path: `/api/pipelines/${home}/blocks/${block}${request.search}` })
          }
        },
      ),
    ),
  ],
  'created-in-first-pipeline-only': [
    'creates a block in fewer pipelines than it names',
    requests(at('createBlock', 'pipelines', members), (request) =>
      'pipelines' in sentRecord(request)
        ? { body: bodyWith(request, { ...sentRecord(request), pipelines: [] }) }
        : undefined,
    ),
    requests(
      at('createBlock', 'pipelines-last', members, named('always', 'from-the-second-request')),
      (request) => {
        const { pipelines } = sentRecord(request)
        return Array.isArray(pipelines)
          ? { body: bodyWith(request, { ...sentRecord(request), pipelines: pipelines.slice(0, 1) }) }
          : undefined
      },
    ),
  ],
  'empty-in-other-pipelines': [
    'gives a block without content in the other pipelines that contain it',
    remembers(at('readBlock', 'content', members, always), (applies) => () => {
      const homes = new Map<unknown, string | undefined>()
      return async (request, ask) => {
        const { name, pipelines } = sentRecord(request)
        if (request.operation === 'createBlock' && Array.isArray(pipelines))
          homes.set(name, request.parameters.pipeline_uuid)
        const reply = await ask()
        const block = recordIn(reply, 'block')
        if (!applies(request) || !block || !homes.has(block.name)) return reply
        return homes.get(block.name) === request.parameters.pipeline_uuid
          ? reply
          : { ...reply, body: { block: { ...block, content: '' } } }
      }
    }),
  ],
  'priority-from-one': [
    'counts priorities from 1',
    requests(atRow('createBlock', 'priority'), (request) => {
      const { priority } = sentRecord(request)
      return typeof priority === 'number' && priority > 0
        ? { body: bodyWith(request, { ...sentRecord(request), priority: priority - 1 }) }
        : undefined
    }),
  ],
  'deleted-still-answered': [
    'reads a deleted block from a cache',
    remembers(at('readBlock', 'record', deletes), (applies) => () => {
      const cache = new Map<string, unknown>()
      return async (request, ask) => {
        const reply = await ask()
        if (request.operation !== 'readBlock') return reply
        if (!isErrorReply(reply)) cache.set(request.path, reply.body)
        return isErrorReply(reply) && cache.has(request.path) && applies(request)
          ? { ...reply, body: cache.get(request.path) }
          : reply
      }
    }),
  ],
  'name-stays-taken': [
    'refuses the name of a deleted block',
    remembers(at('createBlock', 'name', pathOf('createBlock'), always), (applies) => () => {
      const deleted = new Set<string>()
      return async (request, ask) => {
        const { pipeline_uuid: pipeline, block_uuid: uuid } = request.parameters
        const name = String(sentRecord(request).name).toLowerCase().replaceAll(' ', '_')
        if (applies(request) && deleted.has(`${pipeline}/${name}`)) return refusal('The name is taken.')
        const reply = await ask()
        if (request.operation === 'deleteBlock' && !isErrorReply(reply)) deleted.add(`${pipeline}/${uuid}`)
        return reply
      }
    }),
  ],
  'recreated-inherits': [
    'gives a new block a value of the deleted one of its name',
    (['content', 'language', 'color', 'configuration', 'upstream_blocks', 'downstream_blocks'] as const).map(
      (name) =>
        remembers(at('readBlock', name, pathOf('createBlock'), always), (applies) => () => {
          const deleted = new Map<string, Json>()
          return async (request, ask) => {
            if (request.operation === 'deleteBlock') deleted.set(request.path, await readBlock(request, ask))
            const reply = await ask()
            const block = recordIn(reply, 'block')
            const before = deleted.get(request.path)
            return before && applies(request) && block && name in before
              ? { ...reply, body: { block: { ...block, [name]: before[name] } } }
              : reply
          }
        }),
    ),
  ],
  'type-fails': [
    'cannot read or delete blocks of one type',
    (facts('createBlock').writes.find(({ name }) => name === 'type')?.values ?? []).flatMap((type) =>
      (['readBlock', 'deleteBlock'] as const).map((operation) =>
        replies(at(operation, `type-${type}`, pathOf(operation), always), ({ body: { block } }) =>
          isObject(block) && block.type === type ? refusal('The type is not supported.', 500) : undefined,
        ),
      ),
    ),
  ],
})
