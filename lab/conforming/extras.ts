import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { documentedOperations, onRecords, onSuccess, sentence } from '../mutants/mutant.ts'
import type { Start } from '../mutants/serve-mutant.ts'
import { errorsAs } from './reply-changes.ts'
import { type HarmlessVariant, onBodies } from './variant.ts'

const presenter = sentence('What the service does', 'which decides which attributes the response carries')
const more = { request_id: '5f2c', took: 12, links: null }

const onErrors = (change: (body: Json) => Json): Start =>
  onBodies((body) => (isObject(body.error) ? change(body) : body))

/** Replies that carry more than they must. */
export const harmlessExtras: readonly HarmlessVariant[] = [
  ...documentedOperations.map(
    (operation): HarmlessVariant => ({
      name: `${operation}-with-more-attributes`,
      leaves: presenter,
      start: onRecords(operation, (record) => ({ ...record, tenant: null, links: [{ rel: 'self' }] })),
      // "Response: `{ block: { content, name, ... } }`" lists them, and says of no other that it is absent.
      ...(operation === 'createBlock' && { toldBy: ['block-create/eight-fields'] as const }),
    }),
  ),
  { name: 'more-beside-the-record', leaves: presenter, start: onBodies((body) => ({ ...body, ...more })) },
  {
    name: 'error-null-beside-the-record',
    leaves: sentence('Errors', 'Any error is reported inside the body'),
    start: onBodies((body) => ('error' in body ? body : { ...body, error: null })),
  },
  {
    name: 'status-beside-the-record',
    leaves: sentence('Errors', 'Any error is reported inside the body'),
    start: onBodies((body) => ({ ...body, status: 200 })),
  },
  {
    name: 'empty-lists-beside-the-error',
    leaves: 'error-extras',
    start: onErrors((body) => ({
      ...body, pipelines: [], backfills: [], oauth_access_tokens: [], pipeline_schedules: [], metadata: null,
    })), // biome-ignore format: one list
  },
  {
    name: 'no-record-beside-the-error',
    leaves: 'error-extras',
    start: onErrors((body) => ({ ...body, pipeline: null, block: null, backfill: null, pipeline_run: null })),
  },
  {
    name: 'error-with-a-trace-and-time',
    leaves: 'error-extras',
    start: errorsAs((error) => ({ ...error, id: 'a1', timestamp: 1_767_225_600, details: { field: null } })),
  },
  ...['The login name or the password is incorrect.', 'Wrong user name or password', 'Bad credentials: no such login or password.'].map(
    (message, index): HarmlessVariant => ({
      name: `sign-in-message-${index + 1}`,
      leaves: sentence('Errors', 'A failed session authentication'),
      start: onBodies((body, { operation }) =>
        operation === 'createSession' && isObject(body.error)
          ? { ...body, error: { ...body.error, message } }
          : body,
      ),
    }),
  ), // biome-ignore format: three texts
  {
    name: 'newlines-stored-as-newlines',
    leaves: 'block-newlines',
    start: onRecords('readBlock', (block) => ({
      ...block,
      content: String(block.content).replaceAll('/n', '\n'),
    })),
  },
  {
    name: 'newlines-shown-as-text',
    leaves: 'block-newlines',
    start: onRecords('readBlock', (block) => ({
      ...block,
      content: String(block.content).replaceAll('\n', '/n'),
    })),
  },
  {
    name: 'created-block-content-null',
    leaves: 'create-block-nulls',
    start: onRecords('createBlock', (block) => ({ ...block, content: block.content || null })),
  },
  {
    name: 'deleted-block-without-links',
    leaves: 'force-effect',
    start: onRecords('deleteBlock', (block) => ({ ...block, upstream_blocks: [], downstream_blocks: [] })),
  },
  {
    name: 'links-to-what-is-gone',
    leaves: 'force-effect',
    start: () => {
      const gone = new Map<string, string[]>()
      return async (heard, ask) => {
        const reply = await ask()
        const { block_uuid: uuid = '', pipeline_uuid: home = '' } = heard.parameters
        const isGone = heard.operation === 'deleteBlock' && isObject(reply.body) && isObject(reply.body.block)
        if (isGone) {
          const { downstream_blocks: below } = (reply.body as { block: Json }).block
          for (const each of Array.isArray(below) ? below : []) gone.set(`${home}/${each}`, [uuid])
        }
        // What depended on it still says so.
        return onRecords('readBlock', (block) => ({
          ...block,
          upstream_blocks: [
            ...(block.upstream_blocks as string[]),
            ...(gone.get(`${home}/${block.uuid}`) ?? []),
          ],
        }))()(heard, async () => reply)
      }
    },
  },
  {
    name: 'extension-blocks-in-extensions',
    leaves: 'callback-lists',
    toldBy: ['pipeline-extensions/empty'],
    start: onSuccess('readPipeline', ({ body }) => {
      const pipeline = body.pipeline as Json & { blocks: Json[] }
      const isExtension = ({ type }: Json) => type === 'extension'
      const blocks = pipeline.blocks.filter((block) => !isExtension(block))
      const extensions = { checks: { blocks: pipeline.blocks.filter(isExtension) } }
      return { body: { ...body, pipeline: { ...pipeline, blocks, extensions } } }
    }),
  },
  {
    name: 'callbacks-by-uuid',
    leaves: sentence('Pipeline', 'Element shapes of `callbacks`'),
    start: onSuccess('readPipeline', ({ body }) => {
      const pipeline = body.pipeline as Json
      const uuids = (list: unknown) =>
        Array.isArray(list) ? list.filter(isObject).map(({ uuid }) => uuid) : list
      const { callbacks, conditionals, widgets } = pipeline
      const lists = {
        callbacks: uuids(callbacks),
        conditionals: uuids(conditionals),
        widgets: uuids(widgets),
      }
      return { body: { ...body, pipeline: { ...pipeline, ...lists } } }
    }),
  },
]
