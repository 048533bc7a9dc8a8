import type { Exchange } from '../judge/client.ts'
import { equal, hasFields, isError, listIn, type Received, recordIn } from '../judge/replies.ts'
import type { Stage } from '../judge/stage.ts'
import type { Scenario } from './define-scenario.ts'

const types = [
  'callback', 'chart', 'conditional', 'custom', 'data_exporter', 'data_loader', 'dbt', 'extension',
  'global_data_product', 'markdown', 'scratchpad', 'sensor', 'transformer',
] // biome-ignore format: one list, in the document's order
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
export const blocks: Scenario = {
  name: 'blocks',
  makes: '2 pipelines and about 20 blocks in them',
  effects: 'writes',
  covers: ['block-create', 'block-uuid', 'block-new', 'block-read', 'block-delete', 'block-fields', 'errors'],
  async run(stage) {
    const [home, other] = [await pipelineOf(stage), await pipelineOf(stage)]
    if (home === undefined || other === undefined) return
    await create(stage, home)
    await read(stage, home, other)
    await refuse(stage, home)
    await createEveryKind(stage, home, other)
    await remove(stage, home)
  },
}

/** Creates a pipeline to work in; undefined where the target made none. */
export async function pipelineOf(stage: Stage): Promise<string | undefined> {
  const created = await stage.createPipeline({ name: stage.name('home'), type: 'python' })
  const uuid = recordIn(created, 'pipeline')?.uuid
  return typeof uuid === 'string' ? uuid : undefined
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
  const has = (field: keyof typeof sent) => block !== undefined && equal(block[field], sent[field])
  stage.check(
    'block-create/eight-fields',
    equal(Object.keys(block ?? {}).sort(), eight),
    created,
    Object.keys(block ?? {}),
  )
  for (const field of [
    'name',
    'type',
    'content',
    'language',
    'config',
    'configuration',
    'priority',
  ] as const) {
    stage.check(`block-create/${field}`, has(field), created, { [field]: block?.[field] })
  }
  stage.check('block-create/newlines', String(block?.content).includes('/n'), created, block?.content)

  const dependant = await stage.createBlock(home, {
    name: `${stage.prefix} transform`,
    type: 'transformer',
    upstream_blocks: [`${stage.prefix}_load`],
  })
  const second = recordIn(dependant, 'block')
  stage.check('block-create/upstream', equal(second?.upstream_blocks, [`${stage.prefix}_load`]), dependant)
  stage.check('block-create/empty-content', second?.content === '', dependant, second?.content)
}

async function read(stage: Stage, home: string, other: string): Promise<void> {
  const uuid = `${stage.prefix}_load`
  const path = `/api/pipelines/${home}/blocks/${uuid}`
  const reply = await stage.get(path)
  const block = recordIn(reply, 'block')
  stage.check('block-create/stored', block !== undefined, reply)
  stage.check('block-uuid/spaces', block?.uuid === uuid, reply, block?.uuid)
  stage.check('block-uuid/generated', block?.uuid === uuid, reply, block?.uuid)
  stage.check('block-read/content', String(block?.content).startsWith('first line'), reply, block?.content)
  stage.check('block-read/outputs', Array.isArray(block?.outputs), reply, block?.outputs)
  stage.check('block-read/fields', hasFields(block, 'block'), reply, Object.keys(block ?? {}))
  stage.check(
    'block-new/downstream',
    equal(block?.downstream_blocks, [`${stage.prefix}_transform`]),
    reply,
    block?.downstream_blocks,
  )
  stage.observe('block', block, reply)

  const second = await stage.get(`/api/pipelines/${home}/blocks/${stage.prefix}_transform`)
  const transform = recordIn(second, 'block')
  stage.check(
    'block-new/upstream',
    equal(transform?.upstream_blocks, [uuid]),
    second,
    transform?.upstream_blocks,
  )
  stage.check('block-new/status', transform?.status === 'not_executed', second, transform?.status)
  stage.check(
    'block-new/executor-type',
    transform?.executor_type === 'local_python',
    second,
    transform?.executor_type,
  )

  const pipeline = await stage.get(`/api/pipelines/${home}`)
  stage.check('block-create/joins-pipeline', uuidsIn(pipeline).includes(uuid), pipeline, uuidsIn(pipeline))
  stage.check('block-read/unknown', isError(await stage.get(`${path}_no_such`)), reply)
  const elsewhere = await stage.get(`/api/pipelines/${other}/blocks/${uuid}`)
  stage.check('block-read/other-pipeline', isError(elsewhere), elsewhere)
}

function uuidsIn(exchange: Exchange): unknown[] {
  const list = recordIn(exchange, 'pipeline')?.blocks
  return Array.isArray(list) ? list.map((block: Received | null) => block?.uuid) : []
}

async function refuse(stage: Stage, home: string): Promise<void> {
  const name = `${stage.prefix} refused`
  stage.checkRefused(
    'block-create/name-required',
    await stage.createBlock(home, { type: 'custom', language: 'python' }),
  )
  stage.checkRefused('block-create/type-required', await stage.createBlock(home, { name: `${name} 1` }))
  stage.checkRefused(
    'block-create/type-listed',
    await stage.createBlock(home, { name: `${name} 2`, type: 'no_such_type' }),
  )
  const cobol = { name: `${name} 3`, type: 'custom', language: 'cobol' }
  stage.checkRefused('block-create/language-listed', await stage.createBlock(home, cobol))
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
  for (const language of ['python', 'sql', 'r', 'yaml', 'markdown']) {
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
  stage.check('errors/http-200-refusal', refused.httpStatus === 200, refused, refused.httpStatus)
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
  stage.check('block-delete/gone', isError(await stage.get(leaf)), deleted)
  stage.check('block-delete/unknown', isError(await stage.delete(leaf)), deleted)
  const pipeline = await stage.get(`/api/pipelines/${home}`)
  const hasLeft = listed(pipeline) && !uuidsIn(pipeline).includes(`${stage.prefix}_transform`)
  stage.check('block-delete/leaves-pipeline', hasLeft, pipeline, uuidsIn(pipeline))
}

function listed(exchange: Exchange): boolean {
  return Array.isArray(recordIn(exchange, 'pipeline')?.blocks) && listIn(exchange, 'pipeline') === undefined
}
