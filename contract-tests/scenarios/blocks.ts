import type { Exchange } from '../judge/client.ts'
import {
  contains,
  equal,
  hasFields,
  isError,
  listIn,
  type ReceivedRecord,
  recordIn,
} from '../judge/replies.ts'
import type { Stage } from '../judge/stage.ts'
import type { JudgeScenario } from './define-scenario.ts'
import { nearListed } from './near-listed.ts'

const types = [
  'callback', 'chart', 'conditional', 'custom', 'data_exporter', 'data_loader', 'dbt', 'extension',
  'global_data_product', 'markdown', 'scratchpad', 'sensor', 'transformer',
] // biome-ignore format: one list, in the document's order
const languages = ['python', 'sql', 'r', 'yaml', 'markdown']
/** The language of the types that are not written in python. */
const languageOf: Readonly<Record<string, string>> = { dbt: 'sql', markdown: 'markdown' }
const eight = [
  'config',
  'configuration',
  'content',
  'language',
  'name',
  'priority',
  'type',
  'upstream_blocks',
]

/** Builds a small graph of blocks, reads it, and takes it apart. */
export const blocks: JudgeScenario = {
  name: 'blocks',
  makes: '2 pipelines and about 20 blocks in them',
  effects: 'writes',
  covers: ['block-create', 'block-uuid', 'block-new', 'block-read', 'block-delete', 'block-fields', 'errors'],
  async run(stage) {
    const [home, other] = [await pipelineOf(stage), await pipelineOf(stage)]
    if (home === undefined || other === undefined) return
    await create(stage, home)
    await read(stage, home, other)
    await createEveryKind(stage, home, other)
    await remove(stage, home)
    // Last: a target may store what it should refuse, and choke on it.
    await refuse(stage, home)
  },
}

/** Creates a pipeline to work in; undefined where the target made none. */
export function pipelineOf(stage: Stage): Promise<string | undefined> {
  return stage.pipelineFor('home')
}

async function create(stage: Stage, home: string): Promise<void> {
  const sent = {
    name: `${stage.prefix} load`,
    type: 'data_loader',
    language: 'python',
    content: 'first line/nsecond line/n',
    config: { data_source: 'api' },
    configuration: { data_provider: 'postgres', data_provider_table: 'orders' },
    priority: 0,
  }
  const created = await stage.createBlock(home, sent)
  const block = recordIn(created, 'block')
  // How the reply writes newlines is seen in a sample only (`block-newlines`).
  const asSent: ReceivedRecord = { ...block, content: String(block?.content).replaceAll('\n', '/n') }
  const has = (field: keyof typeof sent) => block !== undefined && equal(asSent[field], sent[field])
  stage.check(
    'block-create/eight-fields',
    equal(Object.keys(block ?? {}).sort(), eight),
    created,
    Object.keys(block ?? {}),
  )
  for (const field of ['name', 'type', 'content', 'language', 'priority'] as const)
    stage.check(`block-create/${field}`, has(field), created, { [field]: block?.[field] })
  for (const field of ['config', 'configuration'] as const)
    stage.check(`block-create/${field}`, contains(block?.[field], sent[field]), created, {
      [field]: block?.[field],
    })
  stage.check('block-create/newlines', String(block?.content).includes('/n'), created, block?.content)

  const dependant = await stage.createBlock(home, {
    name: `${stage.prefix} transform`,
    type: 'transformer',
    upstream_blocks: [`${stage.prefix}_load`],
  })
  const second = recordIn(dependant, 'block')
  stage.check('block-create/upstream', equal(second?.upstream_blocks, [`${stage.prefix}_load`]), dependant)
  // "Omitting it creates an empty block": null says so as well (`create-block-nulls`).
  stage.compare('block-create/empty-content', '', second?.content === null ? '' : second?.content, dependant)
}

async function read(stage: Stage, home: string, other: string): Promise<void> {
  const uuid = `${stage.prefix}_load`
  const path = `/api/pipelines/${home}/blocks/${uuid}`
  const reply = await stage.get(path)
  const block = recordIn(reply, 'block')
  stage.check('block-create/stored', block !== undefined, reply)
  stage.compare('block-uuid/spaces', uuid, block?.uuid, reply)
  stage.compare('block-uuid/generated', uuid, block?.uuid, reply)
  stage.check('block-read/content', String(block?.content).startsWith('first line'), reply, block?.content)
  stage.check('block-read/outputs', Array.isArray(block?.outputs), reply, block?.outputs)
  stage.check('block-read/fields', hasFields(block, 'block'), reply, Object.keys(block ?? {}))
  stage.compare('block-new/downstream', [`${stage.prefix}_transform`], block?.downstream_blocks, reply)
  stage.observe('block', block, reply)

  const second = await stage.get(`/api/pipelines/${home}/blocks/${stage.prefix}_transform`)
  const transform = recordIn(second, 'block')
  stage.compare('block-new/upstream', [uuid], transform?.upstream_blocks, second)
  stage.compare('block-new/status', 'not_executed', transform?.status, second)
  stage.compare('block-new/executor-type', 'local_python', transform?.executor_type, second)

  const pipeline = await stage.get(`/api/pipelines/${home}`)
  stage.check('block-create/joins-pipeline', uuidsIn(pipeline).includes(uuid), pipeline, uuidsIn(pipeline))
  stage.checkRefused('block-read/unknown', await stage.get(`${path}_no_such`))
  const elsewhere = await stage.get(`/api/pipelines/${other}/blocks/${uuid}`)
  stage.check('block-read/other-pipeline', isError(elsewhere), elsewhere)
}

function uuidsIn(exchange: Exchange): unknown[] {
  const list = recordIn(exchange, 'pipeline')?.blocks
  // The shape of the elements is not shown: a uuid, or a block that has one.
  return Array.isArray(list)
    ? list.map((block: ReceivedRecord | string | null) => (typeof block === 'string' ? block : block?.uuid))
    : []
}

async function refuse(stage: Stage, home: string): Promise<void> {
  const name = `${stage.prefix} refused`
  stage.checkRefused(
    'block-create/name-required',
    await stage.createBlock(home, { type: 'custom', language: 'python' }),
  )
  stage.checkRefused('block-create/type-required', await stage.createBlock(home, { name: `${name} 1` }))
  for (const [index, type] of ['no_such_type', ...nearListed('custom')].entries()) {
    const odd = await stage.createBlock(home, { name: `${name} as ${index}`, type })
    stage.checkKeptOut('block-create/type-listed', odd, recordIn(odd, 'block')?.type, types)
    // Where it got in, no more of the kind is stored.
    if (!isError(odd)) break
  }
  for (const [index, language] of ['cobol', ...nearListed('python')].entries()) {
    const odd = await stage.createBlock(home, { name: `${name} in ${index}`, type: 'custom', language })
    stage.checkKeptOut('block-create/language-listed', odd, recordIn(odd, 'block')?.language, languages)
    if (!isError(odd)) break
  }
  const nowhere = `${stage.prefix}_no_such_pipeline`
  stage.checkRefused(
    'block-create/unknown-pipeline',
    await stage.createBlock(nowhere, { name, type: 'custom' }),
  )
}

async function createEveryKind(stage: Stage, home: string, other: string): Promise<void> {
  const failures: string[] = []
  let last: Exchange | undefined
  for (const type of types) {
    const language = languageOf[type] ?? 'python'
    last = await stage.createBlock(home, { name: `${stage.prefix} of type ${type}`, type, language })
    if (recordIn(last, 'block')?.type !== type) failures.push(type)
  }
  stage.check('block-create/all-types', failures.length === 0, last!, { refused: failures })
  const unspoken: string[] = []
  for (const language of languages) {
    const type = language === 'markdown' ? 'markdown' : 'data_loader'
    last = await stage.createBlock(home, { name: `${stage.prefix} in ${language}`, type, language })
    if (recordIn(last, 'block')?.language !== language) unspoken.push(language)
  }
  stage.check('block-create/all-languages', unspoken.length === 0, last!, { refused: unspoken })

  const shared = {
    name: `${stage.prefix} shared`,
    type: 'custom',
    language: 'python',
    pipelines: [home, other],
  }
  const created = await stage.createBlock(home, shared)
  const there = await stage.get(`/api/pipelines/${other}/blocks/${stage.prefix}_shared`)
  const isThere = !isError(created) && recordIn(there, 'block') !== undefined
  if (isThere)
    stage.ledger.created('block', `/api/pipelines/${other}/blocks/${stage.prefix}_shared?force=True`)
  stage.check('block-create/several-pipelines', isThere, there)
}

async function remove(stage: Stage, home: string): Promise<void> {
  const uuid = `${stage.prefix}_load`
  const path = `/api/pipelines/${home}/blocks/${uuid}`
  const refused = await stage.delete(`${path}?block_type=data_loader`)
  stage.check('block-delete/refused', isError(refused), refused)
  stage.compare('errors/http-200-refusal', 200, refused.httpStatus, refused)
  const still = await stage.get(path)
  const block = recordIn(still, 'block')
  const isUnchanged = equal(block?.downstream_blocks, [`${stage.prefix}_transform`])
  stage.check('block-delete/refused-unchanged', isUnchanged, still, block?.downstream_blocks)

  const forced = await stage.delete(`${path}?block_type=data_loader&force=True`)
  const removed = recordIn(forced, 'block')
  stage.check('block-delete/forced', removed?.uuid === uuid, forced)
  stage.check('block-delete/block-type', removed !== undefined, forced)
  stage.ledger.deleted(`${path}?force=True`)

  const leaf = `/api/pipelines/${home}/blocks/${stage.prefix}_transform`
  const deleted = await stage.delete(leaf)
  const transform = recordIn(deleted, 'block')
  stage.check('block-delete/returns-block', transform?.uuid === `${stage.prefix}_transform`, deleted)
  stage.check('block-delete/fields', hasFields(transform, 'block'), deleted, Object.keys(transform ?? {}))
  stage.check(
    'block-delete/no-content',
    transform !== undefined && !Object.hasOwn(transform, 'content'),
    deleted,
  )
  stage.check(
    'block-delete/no-outputs',
    transform !== undefined && !Object.hasOwn(transform, 'outputs'),
    deleted,
  )
  stage.ledger.deleted(`${leaf}?force=True`)
  stage.checkRefused('block-delete/gone', await stage.get(leaf))
  stage.checkRefused('block-delete/unknown', await stage.delete(leaf))
  const pipeline = await stage.get(`/api/pipelines/${home}`)
  const hasLeft = listed(pipeline) && !uuidsIn(pipeline).includes(`${stage.prefix}_transform`)
  stage.check('block-delete/leaves-pipeline', hasLeft, pipeline, uuidsIn(pipeline))
}

function listed(exchange: Exchange): boolean {
  return Array.isArray(recordIn(exchange, 'pipeline')?.blocks) && listIn(exchange, 'pipeline') === undefined
}
