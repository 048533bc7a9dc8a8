import type { Exchange } from '../runner/client.ts'
import {
  contains,
  equal,
  hasFields,
  isError,
  listIn,
  type ReceivedRecord,
  recordIn,
} from '../runner/replies.ts'
import type { ScenarioContext } from '../runner/scenario-context.ts'
import type { ScenarioDefinition } from './define-scenario.ts'
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
export const blocks: ScenarioDefinition = {
  name: 'blocks',
  makes: '2 pipelines and about 20 blocks in them',
  effects: 'writes',
  covers: ['block-create', 'block-uuid', 'block-new', 'block-read', 'block-delete', 'block-fields', 'errors'],
  async run(context) {
    const [home, other] = [await pipelineOf(context), await pipelineOf(context)]
    if (home === undefined || other === undefined) return
    await create(context, home)
    await read(context, home, other)
    await createEveryKind(context, home, other)
    await remove(context, home)
    // Last: a target may store what it should refuse, and choke on it.
    await refuse(context, home)
  },
}

/** Creates a pipeline to work in; undefined where the target made none. */
export function pipelineOf(context: ScenarioContext): Promise<string | undefined> {
  return context.pipelineFor('home')
}

async function create(context: ScenarioContext, home: string): Promise<void> {
  const sent = {
    name: `${context.prefix} load`,
    type: 'data_loader',
    language: 'python',
    content: 'first line/nsecond line/n',
    config: { data_source: 'api' },
    configuration: { data_provider: 'postgres', data_provider_table: 'orders' },
    priority: 0,
  }
  const created = await context.createBlock(home, sent)
  const block = recordIn(created, 'block')
  // How the reply writes newlines is seen in a sample only (`block-newlines`).
  const asSent: ReceivedRecord = { ...block, content: String(block?.content).replaceAll('\n', '/n') }
  const has = (field: keyof typeof sent) => block !== undefined && equal(asSent[field], sent[field])
  context.check(
    'block-create/eight-fields',
    equal(Object.keys(block ?? {}).sort(), eight),
    created,
    Object.keys(block ?? {}),
  )
  for (const field of ['name', 'type', 'content', 'language', 'priority'] as const)
    context.check(`block-create/${field}`, has(field), created, { [field]: block?.[field] })
  for (const field of ['config', 'configuration'] as const)
    context.check(`block-create/${field}`, contains(block?.[field], sent[field]), created, {
      [field]: block?.[field],
    })
  context.check('block-create/newlines', String(block?.content).includes('/n'), created, block?.content)

  const dependant = await context.createBlock(home, {
    name: `${context.prefix} transform`,
    type: 'transformer',
    upstream_blocks: [`${context.prefix}_load`],
  })
  const second = recordIn(dependant, 'block')
  context.check(
    'block-create/upstream',
    equal(second?.upstream_blocks, [`${context.prefix}_load`]),
    dependant,
  )
  // "Omitting it creates an empty block": null says so as well (`create-block-nulls`).
  context.compare(
    'block-create/empty-content',
    '',
    second?.content === null ? '' : second?.content,
    dependant,
  )
}

async function read(context: ScenarioContext, home: string, other: string): Promise<void> {
  const uuid = `${context.prefix}_load`
  const path = `/api/pipelines/${home}/blocks/${uuid}`
  const reply = await context.get(path)
  const block = recordIn(reply, 'block')
  context.check('block-create/stored', block !== undefined, reply)
  context.compare('block-uuid/spaces', uuid, block?.uuid, reply)
  context.compare('block-uuid/generated', uuid, block?.uuid, reply)
  context.check('block-read/content', String(block?.content).startsWith('first line'), reply, block?.content)
  context.check('block-read/outputs', Array.isArray(block?.outputs), reply, block?.outputs)
  context.check('block-read/fields', hasFields(block, 'block'), reply, Object.keys(block ?? {}))
  context.compare('block-new/downstream', [`${context.prefix}_transform`], block?.downstream_blocks, reply)
  context.observe('block', block, reply)

  const second = await context.get(`/api/pipelines/${home}/blocks/${context.prefix}_transform`)
  const transform = recordIn(second, 'block')
  context.compare('block-new/upstream', [uuid], transform?.upstream_blocks, second)
  context.compare('block-new/status', 'not_executed', transform?.status, second)
  context.compare('block-new/executor-type', 'local_python', transform?.executor_type, second)

  const pipeline = await context.get(`/api/pipelines/${home}`)
  context.check('block-create/joins-pipeline', uuidsIn(pipeline).includes(uuid), pipeline, uuidsIn(pipeline))
  context.checkRefused('block-read/unknown', await context.get(`${path}_no_such`))
  const elsewhere = await context.get(`/api/pipelines/${other}/blocks/${uuid}`)
  context.check('block-read/other-pipeline', isError(elsewhere), elsewhere)
}

function uuidsIn(exchange: Exchange): unknown[] {
  const list = recordIn(exchange, 'pipeline')?.blocks
  // The shape of the elements is not shown: a uuid, or a block that has one.
  return Array.isArray(list)
    ? list.map((block: ReceivedRecord | string | null) => (typeof block === 'string' ? block : block?.uuid))
    : []
}

async function refuse(context: ScenarioContext, home: string): Promise<void> {
  const name = `${context.prefix} refused`
  context.checkRefused(
    'block-create/name-required',
    await context.createBlock(home, { type: 'custom', language: 'python' }),
  )
  context.checkRefused('block-create/type-required', await context.createBlock(home, { name: `${name} 1` }))
  for (const [index, type] of ['no_such_type', ...nearListed('custom')].entries()) {
    const odd = await context.createBlock(home, { name: `${name} as ${index}`, type })
    context.checkKeptOut('block-create/type-listed', odd, recordIn(odd, 'block')?.type, types)
    // Where it got in, no more of the kind is stored.
    if (!isError(odd)) break
  }
  for (const [index, language] of ['cobol', ...nearListed('python')].entries()) {
    const odd = await context.createBlock(home, { name: `${name} in ${index}`, type: 'custom', language })
    context.checkKeptOut('block-create/language-listed', odd, recordIn(odd, 'block')?.language, languages)
    if (!isError(odd)) break
  }
  const nowhere = `${context.prefix}_no_such_pipeline`
  context.checkRefused(
    'block-create/unknown-pipeline',
    await context.createBlock(nowhere, { name, type: 'custom' }),
  )
}

async function createEveryKind(context: ScenarioContext, home: string, other: string): Promise<void> {
  const failures: string[] = []
  let last: Exchange | undefined
  for (const type of types) {
    const language = languageOf[type] ?? 'python'
    last = await context.createBlock(home, { name: `${context.prefix} of type ${type}`, type, language })
    if (recordIn(last, 'block')?.type !== type) failures.push(type)
  }
  context.check('block-create/all-types', failures.length === 0, last!, { refused: failures })
  const unspoken: string[] = []
  for (const language of languages) {
    const type = language === 'markdown' ? 'markdown' : 'data_loader'
    last = await context.createBlock(home, { name: `${context.prefix} in ${language}`, type, language })
    if (recordIn(last, 'block')?.language !== language) unspoken.push(language)
  }
  context.check('block-create/all-languages', unspoken.length === 0, last!, { refused: unspoken })

  const shared = {
    name: `${context.prefix} shared`,
    type: 'custom',
    language: 'python',
    pipelines: [home, other],
  }
  const created = await context.createBlock(home, shared)
  const there = await context.get(`/api/pipelines/${other}/blocks/${context.prefix}_shared`)
  const isThere = !isError(created) && recordIn(there, 'block') !== undefined
  if (isThere)
    context.cleanupLog.created('block', `/api/pipelines/${other}/blocks/${context.prefix}_shared?force=True`)
  context.check('block-create/several-pipelines', isThere, there)
}

async function remove(context: ScenarioContext, home: string): Promise<void> {
  const uuid = `${context.prefix}_load`
  const path = `/api/pipelines/${home}/blocks/${uuid}`
  const refused = await context.delete(`${path}?block_type=data_loader`)
  context.check('block-delete/refused', isError(refused), refused)
  context.compare('errors/http-200-refusal', 200, refused.httpStatus, refused)
  const still = await context.get(path)
  const block = recordIn(still, 'block')
  const isUnchanged = equal(block?.downstream_blocks, [`${context.prefix}_transform`])
  context.check('block-delete/refused-unchanged', isUnchanged, still, block?.downstream_blocks)

  const forced = await context.delete(`${path}?block_type=data_loader&force=True`)
  const removed = recordIn(forced, 'block')
  context.check('block-delete/forced', removed?.uuid === uuid, forced)
  context.check('block-delete/block-type', removed !== undefined, forced)
  context.cleanupLog.deleted(`${path}?force=True`)

  const leaf = `/api/pipelines/${home}/blocks/${context.prefix}_transform`
  const deleted = await context.delete(leaf)
  const transform = recordIn(deleted, 'block')
  context.check('block-delete/returns-block', transform?.uuid === `${context.prefix}_transform`, deleted)
  context.check('block-delete/fields', hasFields(transform, 'block'), deleted, Object.keys(transform ?? {}))
  context.check(
    'block-delete/no-content',
    transform !== undefined && !Object.hasOwn(transform, 'content'),
    deleted,
  )
  context.check(
    'block-delete/no-outputs',
    transform !== undefined && !Object.hasOwn(transform, 'outputs'),
    deleted,
  )
  context.cleanupLog.deleted(`${leaf}?force=True`)
  context.checkRefused('block-delete/gone', await context.get(leaf))
  context.checkRefused('block-delete/unknown', await context.delete(leaf))
  const pipeline = await context.get(`/api/pipelines/${home}`)
  const hasLeft = listed(pipeline) && !uuidsIn(pipeline).includes(`${context.prefix}_transform`)
  context.check('block-delete/leaves-pipeline', hasLeft, pipeline, uuidsIn(pipeline))
}

function listed(exchange: Exchange): boolean {
  return Array.isArray(recordIn(exchange, 'pipeline')?.blocks) && listIn(exchange, 'pipeline') === undefined
}
