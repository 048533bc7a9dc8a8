import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { bodyWith, named, type Operator, pathOf, refusal, sentence, sentRecord } from '../mutant.ts'
import { isErrorReply } from '../wrong-server.ts'
import {
  deletesBlock,
  few,
  isUnknown,
  neighbours,
  read,
  refusedSentence,
  removed,
  strike,
} from './state-strikes.ts'

/** What goes wrong with blocks and those that depend on them. */
export const blockOperators: readonly Operator[] = [
  {
    name: 'neighbour-removed',
    does: 'removes another record as well',
    strikes: [
      ...[true, false].map((isSame) =>
        strike(
          'deleteBackfill',
          isSame ? 'of-the-same-pipeline' : 'of-another-pipeline',
          removed,
          (holds) => () => async (heard, ask) => {
            const others = holds(heard) ? await neighbours(heard, ask, isSame) : []
            const reply = await ask()
            if (isErrorReply(reply)) return reply
            for (const { id } of others.slice(-1)) await ask({ path: `/api/backfills/${id}${heard.search}` })
            return reply
          },
          named(...few),
        ),
      ),
      strike(
        'deleteBlock',
        'dependants',
        deletesBlock,
        (holds) => () => async (heard, ask) => {
          const reply = await ask()
          const block = isObject(reply.body) ? reply.body.block : undefined
          if (
            !holds(heard) ||
            isErrorReply(reply) ||
            !isObject(block) ||
            !Array.isArray(block.downstream_blocks)
          )
            return reply
          for (const uuid of block.downstream_blocks) {
            await ask({
              path:
                heard.path.replace(/[^/]+$/, encodeURIComponent(String(uuid))) +
                (heard.search || '?force=True'),
            })
          }
          return reply
        },
        named('always', 'fromTheSecond', 'forced'),
      ),
      strike(
        'deleteBlock',
        'same-block-elsewhere',
        deletesBlock,
        (holds) => () => async (heard, ask) => {
          const pipelines = holds(heard) ? await read(ask, `/api/pipelines${heard.search}`, 'pipelines') : []
          const reply = await ask()
          if (isErrorReply(reply)) return reply
          for (const { uuid } of pipelines) {
            if (uuid !== heard.parameters.pipeline_uuid)
              await ask({ path: `/api/pipelines/${uuid}/blocks/${heard.parameters.block_uuid}?force=True` })
          }
          return reply
        },
        named('always', 'fromTheSecond', 'unforced'),
      ),
    ],
  },
  {
    name: 'deletion-not-refused',
    does: 'deletes a block that others depend on',
    strikes: [
      strike(
        'deleteBlock',
        'dependants',
        refusedSentence,
        (holds) => () => (heard, ask) => (holds(heard) ? ask({ path: `${heard.path}?force=True` }) : ask()),
      ),
      strike(
        'deleteBlock',
        'only-one-dependant',
        refusedSentence,
        (holds) => () => async (heard, ask) => {
          if (!holds(heard)) return ask()
          const { body } = await ask({ method: 'GET', path: heard.path + heard.search })
          const block = isObject(body) && isObject(body.block) ? body.block : {}
          const isLonely = Array.isArray(block.downstream_blocks) && block.downstream_blocks.length === 1
          return isLonely ? ask({ path: `${heard.path}?force=True` }) : ask()
        },
        named('always', 'fromTheSecond'),
      ),
      strike(
        'deleteBlock',
        'force-false',
        refusedSentence,
        (holds) => () => (heard, ask) =>
          holds(heard) && heard.query.has('force') ? ask({ path: `${heard.path}?force=True` }) : ask(),
        named('always'),
      ),
      strike(
        'deleteBlock',
        'block-type-forces',
        refusedSentence,
        (holds) => () => (heard, ask) =>
          holds(heard) && heard.query.has('block_type') ? ask({ path: `${heard.path}?force=True` }) : ask(),
        named('always'),
      ),
    ],
  },
  {
    name: 'refused-and-done',
    does: 'refuses a request and does it all the same',
    strikes: [
      strike('deleteBlock', 'record', refusedSentence, (holds) => () => async (heard, ask) => {
        const reply = await ask()
        if (holds(heard) && isErrorReply(reply)) await ask({ path: `${heard.path}?force=True` })
        return reply
      }),
      strike(
        'createPipeline',
        'type',
        sentence('Create pipeline', '`type`'),
        (holds) => () => async (heard, ask) => {
          const reply = await ask()
          if (holds(heard) && isErrorReply(reply))
            await ask({ body: bodyWith(heard, { ...sentRecord(heard), type: 'python' }) })
          return reply
        },
        named('always', 'fromTheSecond', 'afterAnError'),
      ),
    ],
  },
  {
    name: 'refuses-without-reason',
    does: 'refuses to delete a block on which none depends',
    strikes: [
      strike(
        'deleteBlock',
        'leaf',
        deletesBlock,
        (holds) => () => async (heard, ask) => {
          if (!holds(heard)) return ask()
          const { body } = await ask({ method: 'GET', path: heard.path + heard.search })
          const block = isObject(body) && isObject(body.block) ? body.block : {}
          const hasUpstream = Array.isArray(block.upstream_blocks) && block.upstream_blocks.length > 0
          return hasUpstream ? refusal('The block has upstream blocks.') : ask()
        },
        named('always', 'fromTheSecond', 'unforced'),
      ),
    ],
  },
  {
    name: 'block-of-any-pipeline',
    does: 'finds a block through a pipeline that it is not in',
    strikes: (['readBlock', 'deleteBlock'] as const).map((operation) =>
      strike(
        operation,
        'pipeline_uuid',
        pathOf(operation),
        (holds) => () => {
          const homes = new Map<string, string>()
          return async (heard, ask) => {
            const reply = await ask()
            const { pipeline_uuid: pipeline = '', block_uuid: block = '' } = heard.parameters
            if (heard.operation === 'readBlock' && !isErrorReply(reply)) homes.set(block, pipeline)
            const home = homes.get(block)
            if (
              !holds(heard) ||
              !isErrorReply(reply) ||
              !isUnknown(reply.body) ||
              home === undefined ||
              home === pipeline
            )
              return reply
            return ask({ path: `/api/pipelines/${home}/blocks/${block}${heard.search}` })
          }
        },
        named('always', 'fromTheSecond', 'afterAnError'),
      ),
    ),
  },
  {
    name: 'created-in-first-pipeline-only',
    does: 'creates a block in the pipeline of its path and not in those it names',
    strikes: [
      strike(
        'createBlock',
        'pipelines',
        sentence('Create block', 'Uuids of the pipelines the block is a member of'),
        (holds) => () => (heard, ask) =>
          holds(heard) && 'pipelines' in sentRecord(heard)
            ? ask({ body: bodyWith(heard, { ...sentRecord(heard), pipelines: [] }) })
            : ask(),
      ),
      strike(
        'createBlock',
        'pipelines-last',
        sentence('Create block', 'Uuids of the pipelines the block is a member of'),
        (holds) => () => (heard, ask) => {
          const { pipelines } = sentRecord(heard)
          return holds(heard) && Array.isArray(pipelines)
            ? ask({ body: bodyWith(heard, { ...sentRecord(heard), pipelines: pipelines.slice(0, 1) }) })
            : ask()
        },
        named('always', 'fromTheSecond'),
      ),
    ],
  },
  {
    name: 'priority-from-one',
    does: 'counts priorities from 1',
    strikes: [
      strike(
        'createBlock',
        'priority',
        sentence('Create block', '`priority`'),
        (holds) => () => (heard, ask) => {
          const { priority } = sentRecord(heard)
          return holds(heard) && typeof priority === 'number' && priority > 0
            ? ask({ body: bodyWith(heard, { ...sentRecord(heard), priority: priority - 1 }) })
            : ask()
        },
      ),
    ],
  },
  {
    name: 'deleted-still-answered',
    does: 'reads a deleted block from memory',
    strikes: [
      strike('readBlock', 'record', deletesBlock, (holds) => () => {
        const read = new Map<string, Json>()
        return async (heard, ask) => {
          const reply = await ask()
          if (heard.operation !== 'readBlock') return reply
          if (!isErrorReply(reply) && isObject(reply.body)) read.set(heard.path, reply.body)
          const old = read.get(heard.path)
          return isErrorReply(reply) && old && holds(heard) ? { ...reply, body: old } : reply
        }
      }),
    ],
  },
]
