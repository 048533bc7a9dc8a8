import type { Exchange } from '../judge/client.ts'
import { isObject } from '../judge/is-object.ts'
import {
  equal,
  isError,
  listIn,
  metadataIn,
  type ReceivedRecord,
  recordIn,
  triggersIn,
} from '../judge/replies.ts'
import type { Stage } from '../judge/stage.ts'
import type { RuleId } from '../rules/index.ts'
import { kebab } from '../rules/kebab.ts'
import type { JudgeScenario } from './define-scenario.ts'
import { nearListed } from './near-listed.ts'

/** Creates pipelines of every type, reads them, and tries what must be refused. */
export const pipelines: JudgeScenario = {
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
  async run(stage) {
    const uuid = await createAndJudge(stage)
    if (uuid !== undefined) await readAndJudge(stage, uuid)
    const refused = stage.name('refused')
    await createEveryType(stage)
    // Last: a target may store what it should refuse, and choke on it.
    await refuse(stage, refused)
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

async function createAndJudge(stage: Stage): Promise<string | undefined> {
  const name = stage.name('pipe')
  const created = await stage.createPipeline({ name, type: 'python' })
  const pipeline = recordIn(created, 'pipeline')
  stage.check('pipeline-create/returns-pipeline', pipeline !== undefined, created)
  stage.check('conventions/record-envelope', pipeline !== undefined, created)
  stage.check('conventions/body-envelope', pipeline?.name === name, created)
  stage.check('conventions/json', isObject(created.body), created)
  stage.compare('errors/http-200-success', 200, created.httpStatus, created)
  if (pipeline === undefined) return undefined
  stage.compare('pipeline-create/name', name, pipeline.name, created)
  stage.compare('pipeline-create/type', 'python', pipeline.type, created)
  stage.check(
    'pipeline-new/uuid-hyphens',
    pipeline.uuid === name.replaceAll('-', '_'),
    created,
    pipeline.uuid,
  )
  for (const [field, value] of newValues) {
    stage.check(`pipeline-new/${kebab(field)}`, equal(pipeline[field], value), created, {
      [field]: pipeline[field],
    })
  }
  return String(pipeline.uuid)
}

async function readAndJudge(stage: Stage, uuid: string): Promise<void> {
  const read = await stage.get(`/api/pipelines/${uuid}`)
  const pipeline = recordIn(read, 'pipeline')
  stage.check('pipeline-read/one', pipeline?.uuid === uuid, read)
  stage.check('pipeline-create/stored', pipeline?.uuid === uuid, read)
  stage.check(
    'pipeline-extensions/present',
    pipeline !== undefined && Object.hasOwn(pipeline, 'extensions'),
    read,
  )
  stage.compare('pipeline-extensions/empty', {}, pipeline?.extensions, read)
  stage.observe('pipeline', pipeline, read)
  const alike = ['schedules', 'pipeline_schedules', 'triggers']
  const carries = alike.some((key) => pipeline !== undefined && Object.hasOwn(pipeline, key))
  stage.check('pipeline-read/schedules-only-when-asked', !carries, read)
  const asked = await stage.get(`/api/pipelines/${uuid}?include_schedules=1`)
  const triggers = triggersIn(recordIn(asked, 'pipeline'), pipeline)
  stage.check('pipeline-read/schedules-when-asked', carries || triggers !== undefined, asked)

  const list = await stage.get('/api/pipelines')
  const listed = listIn(list, 'pipelines')
  stage.check('conventions/list-envelope', listed !== undefined && metadataIn(list) !== undefined, list)
  stage.check(
    'pipeline-read/lists-all',
    listed?.some((item) => item.uuid === uuid) === true,
    list,
    listed?.map((item) => item.uuid),
  )
  const askedList = await stage.get('/api/pipelines?include_schedules=1')
  const mine = (items: ReceivedRecord[] | undefined) => items?.find((item) => item.uuid === uuid)
  const inList = triggersIn(mine(listIn(askedList, 'pipelines')), mine(listed))
  stage.check('pipeline-read/schedules-in-list', carries || inList !== undefined, askedList)

  const plain = stage.name('p').replaceAll('-', '')
  const created = await stage.createPipeline({ name: plain, type: 'python' })
  stage.check('pipeline-new/uuid-from-name', recordIn(created, 'pipeline')?.uuid === plain, created)
}

async function refuse(stage: Stage, refused: string): Promise<void> {
  const unknown = await stage.get(`/api/pipelines/${stage.prefix}_no_such_pipeline`)
  stage.checkRefused('pipeline-read/unknown', unknown)
  stage.compare('errors/http-200-unknown-pipeline', 200, unknown.httpStatus, unknown)
  // A server may answer that otherwise; then a refused record tells what its errors look like.
  let refusal =
    isError(unknown) || !isObject(unknown.body) || recordIn(unknown, 'pipeline') === undefined
      ? unknown
      : undefined

  const withoutName = await stage.createPipeline({ type: 'python' })
  stage.checkRefused('pipeline-create/name-required', withoutName)
  refusal ??= isError(withoutName) ? withoutName : undefined
  if (refusal !== undefined) judgeError(stage, refusal)
  else stage.verdicts.notReached(errorRules, 'No request was refused, so no error was seen.', 'replies')
  const withoutType = await stage.createPipeline({ name: `${refused}-without` })
  stage.checkRefused('pipeline-create/type-required', withoutType)
  const badType = await stage.createPipeline({ name: refused, type: 'no-such-type' })
  const typeOf = (exchange: Exchange) => recordIn(exchange, 'pipeline')?.type
  stage.checkKeptOut('pipeline-create/type-listed', badType, typeOf(badType), types)
  const list = await stage.get('/api/pipelines')
  const stored = listIn(list, 'pipelines')?.filter((item) => String(item.name).startsWith(refused))
  stage.check(
    'pipeline-create/refused-not-stored',
    stored?.length === 0,
    list,
    stored?.map((item) => item.name),
  )
  // Where it got in, no more of the kind is stored.
  if (isError(badType))
    for (const type of nearListed('python')) {
      const created = await stage.createPipeline({ name: stage.name('nearly'), type })
      stage.checkKeptOut('pipeline-create/type-listed', created, typeOf(created), types)
    }
}

const errorRules: readonly RuleId[] = [
  'errors/under-error', 'errors/body-status', 'errors/code', 'errors/code-not-200', 'errors/message', 'errors/type',
] // biome-ignore format: a list of ids

/** Holds an error against the document's table of its members. */
function judgeError(stage: Stage, exchange: Exchange): void {
  const { error, body } = exchange
  stage.check('errors/under-error', error !== undefined, exchange)
  stage.check('errors/body-status', isObject(body) && body.status === 200, exchange)
  stage.check('errors/code', Number.isInteger(error?.code), exchange, error?.code)
  stage.check('errors/code-not-200', error !== undefined && error.code !== 200, exchange, error?.code)
  stage.check('errors/message', typeof error?.message === 'string', exchange, error?.message)
  stage.check('errors/type', typeof error?.type === 'string', exchange, error)
}

async function createEveryType(stage: Stage): Promise<void> {
  for (const type of ['integration', 'pyspark', 'streaming'] as const) {
    const created = await stage.createPipeline({ name: stage.name(type), type })
    stage.check(`pipeline-create/type-${type}`, recordIn(created, 'pipeline')?.type === type, created)
  }
}
