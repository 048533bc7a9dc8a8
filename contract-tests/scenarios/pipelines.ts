import type { RuleId } from '../rules/index.ts'
import { kebab } from '../rules/kebab.ts'
import type { Exchange } from '../runner/client.ts'
import { isObject } from '../runner/is-object.ts'
import {
  equal,
  isError,
  listIn,
  metadataIn,
  type ReceivedRecord,
  recordIn,
  triggersIn,
} from '../runner/replies.ts'
import type { ScenarioContext } from '../runner/scenario-context.ts'
import type { ScenarioDefinition } from './define-scenario.ts'
import { nearListed } from './near-listed.ts'

/** Creates pipelines of every type, reads them, and tries what must be refused. */
export const pipelines: ScenarioDefinition = {
  name: 'pipelines',
  makes: '5 pipelines',
  effects: 'writes',
  covers: [
    'pipeline-create',
    'pipeline-new',
    'pipeline-read',
    'pipeline-extensions',
    'pipeline-fields',
    'conventions',
    'errors',
  ],
  async run(context) {
    const uuid = await createAndJudge(context)
    if (uuid !== undefined) await readAndJudge(context, uuid)
    const refused = context.name('refused')
    await createEveryType(context)
    // Last: a target may store what it should refuse, and choke on it.
    await refuse(context, refused)
  },
}

const types = ['integration', 'pyspark', 'python', 'streaming']

/** What the document says of a new pipeline's fields. */
const newValues = [
  ['description', null],
  ['data_integration', null],
  ['executor_config', {}],
  ['executor_count', 1],
  ['executor_type', null],
  ['notification_config', {}],
  ['spark_config', {}],
  ['updated_at', null],
  ['blocks', []],
  ['callbacks', []],
  ['conditionals', []],
  ['widgets', []],
] as const

async function createAndJudge(context: ScenarioContext): Promise<string | undefined> {
  const name = context.name('pipe')
  const created = await context.createPipeline({ name, type: 'python' })
  const pipeline = recordIn(created, 'pipeline')
  context.check('pipeline-create/returns-pipeline', pipeline !== undefined, created)
  context.check('conventions/record-envelope', pipeline !== undefined, created)
  context.check('conventions/body-envelope', pipeline?.name === name, created)
  context.check('conventions/json', isObject(created.body), created)
  context.compare('errors/http-200-success', 200, created.httpStatus, created)
  if (pipeline === undefined) return undefined
  context.compare('pipeline-create/name', name, pipeline.name, created)
  context.compare('pipeline-create/type', 'python', pipeline.type, created)
  context.check(
    'pipeline-new/uuid-hyphens',
    pipeline.uuid === name.replaceAll('-', '_'),
    created,
    pipeline.uuid,
  )
  for (const [field, value] of newValues) {
    context.check(`pipeline-new/${kebab(field)}`, equal(pipeline[field], value), created, {
      [field]: pipeline[field],
    })
  }
  return String(pipeline.uuid)
}

async function readAndJudge(context: ScenarioContext, uuid: string): Promise<void> {
  const read = await context.get(`/api/pipelines/${uuid}`)
  const pipeline = recordIn(read, 'pipeline')
  context.check('pipeline-read/one', pipeline?.uuid === uuid, read)
  context.check('pipeline-create/stored', pipeline?.uuid === uuid, read)
  context.check(
    'pipeline-extensions/present',
    pipeline !== undefined && Object.hasOwn(pipeline, 'extensions'),
    read,
  )
  context.compare('pipeline-extensions/empty', {}, pipeline?.extensions, read)
  context.observe('pipeline', pipeline, read)
  const alike = ['schedules', 'pipeline_schedules', 'triggers']
  const carries = alike.some((key) => pipeline !== undefined && Object.hasOwn(pipeline, key))
  context.check('pipeline-read/schedules-only-when-asked', !carries, read)
  const asked = await context.get(`/api/pipelines/${uuid}?include_schedules=1`)
  const triggers = triggersIn(recordIn(asked, 'pipeline'), pipeline)
  context.check('pipeline-read/schedules-when-asked', carries || triggers !== undefined, asked)

  const list = await context.get('/api/pipelines')
  const listed = listIn(list, 'pipelines')
  context.check('conventions/list-envelope', listed !== undefined && metadataIn(list) !== undefined, list)
  context.check(
    'pipeline-read/lists-all',
    listed?.some((item) => item.uuid === uuid) === true,
    list,
    listed?.map((item) => item.uuid),
  )
  const askedList = await context.get('/api/pipelines?include_schedules=1')
  const mine = (items: ReceivedRecord[] | undefined) => items?.find((item) => item.uuid === uuid)
  const inList = triggersIn(mine(listIn(askedList, 'pipelines')), mine(listed))
  context.check('pipeline-read/schedules-in-list', carries || inList !== undefined, askedList)

  const plain = context.name('p').replaceAll('-', '')
  const created = await context.createPipeline({ name: plain, type: 'python' })
  context.check('pipeline-new/uuid-from-name', recordIn(created, 'pipeline')?.uuid === plain, created)
}

async function refuse(context: ScenarioContext, refused: string): Promise<void> {
  const unknown = await context.get(`/api/pipelines/${context.prefix}_no_such_pipeline`)
  context.checkRefused('pipeline-read/unknown', unknown)
  context.compare('errors/http-200-unknown-pipeline', 200, unknown.httpStatus, unknown)
  // A server may answer that otherwise; then a refused record tells what its errors look like.
  let refusal =
    isError(unknown) || !isObject(unknown.body) || recordIn(unknown, 'pipeline') === undefined
      ? unknown
      : undefined

  const withoutName = await context.createPipeline({ type: 'python' })
  context.checkRefused('pipeline-create/name-required', withoutName)
  refusal ??= isError(withoutName) ? withoutName : undefined
  if (refusal !== undefined) judgeError(context, refusal)
  else context.verdicts.notReached(errorRules, 'No request was refused, so no error was seen.', 'replies')
  const withoutType = await context.createPipeline({ name: `${refused}-without` })
  context.checkRefused('pipeline-create/type-required', withoutType)
  const badType = await context.createPipeline({ name: refused, type: 'no-such-type' })
  const typeOf = (exchange: Exchange) => recordIn(exchange, 'pipeline')?.type
  context.checkKeptOut('pipeline-create/type-listed', badType, typeOf(badType), types)
  const list = await context.get('/api/pipelines')
  const stored = listIn(list, 'pipelines')?.filter((item) => String(item.name).startsWith(refused))
  context.check(
    'pipeline-create/refused-not-stored',
    stored?.length === 0,
    list,
    stored?.map((item) => item.name),
  )
  // Where it got in, no more of the kind is stored.
  if (isError(badType))
    for (const type of nearListed('python')) {
      const created = await context.createPipeline({ name: context.name('nearly'), type })
      context.checkKeptOut('pipeline-create/type-listed', created, typeOf(created), types)
    }
}

const errorRules: readonly RuleId[] = [
  'errors/under-error', 'errors/body-status', 'errors/code', 'errors/code-not-200', 'errors/message', 'errors/type',
] // biome-ignore format: a list of ids

/** Holds an error against the document's table of its members. */
function judgeError(context: ScenarioContext, exchange: Exchange): void {
  const { error, body } = exchange
  context.check('errors/under-error', error !== undefined, exchange)
  context.check('errors/body-status', isObject(body) && body.status === 200, exchange)
  context.check('errors/code', Number.isInteger(error?.code), exchange, error?.code)
  context.check('errors/code-not-200', error !== undefined && error.code !== 200, exchange, error?.code)
  context.check('errors/message', typeof error?.message === 'string', exchange, error?.message)
  context.check('errors/type', typeof error?.type === 'string', exchange, error)
}

async function createEveryType(context: ScenarioContext): Promise<void> {
  for (const type of ['integration', 'pyspark', 'streaming'] as const) {
    const created = await context.createPipeline({ name: context.name(type), type })
    context.check(`pipeline-create/type-${type}`, recordIn(created, 'pipeline')?.type === type, created)
  }
}
