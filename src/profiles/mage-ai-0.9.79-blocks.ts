import type { RecordOf } from '../resources/records.ts'
import { setValues, type WireRecord } from '../resources/resource.ts'
import { recordInvalid, recordNotFound } from '../shared/errors.ts'
import type { DeriveOf, RequestedAction, RequestedAttributes } from './define-profile.ts'

type BlockType = RecordOf<'blocks'>['type']

/** The types that are written empty where others get a template. */
const withoutTemplate: readonly BlockType[] = [
  'chart',
  'extension',
  'global_data_product',
  'markdown',
  'scratchpad',
]
/** The types that stand in lists of their own, and are found there only by their type. */
const foundByType: readonly BlockType[] = ['callback', 'conditional']

/** A block without content is written from a template; its text here is another. */
export const contentOrTemplate: DeriveOf<'blocks'> = ({ content, type }) =>
  JSON.stringify(
    content || withoutTemplate.includes(type) ? content : `# Template code for a ${type} block.\n`,
  )

/** What fails before its content makes anything of it. */
const notUpdated: readonly BlockType[] = ['callback', 'extension', 'global_data_product']

/** Content that a client has written makes it one that was updated. */
export const statusOf: DeriveOf<'blocks'> = ({ status, content, type }) => {
  const isUpdated = status === 'not_executed' && content !== '' && !notUpdated.includes(type)
  const shown: typeof status = isUpdated ? 'updated' : status
  return JSON.stringify(shown)
}

/** The blocks of a type that stand aside and name a block as theirs. */
export const attached =
  (type: 'callback' | 'conditional'): DeriveOf<'blocks'> =>
  ({ uuid, pipeline_uuid: home }, model) => {
    const siblings = model.table('blocks').where('pipeline_uuid', home)
    const aside = siblings.filter((block) => block.type === type && block.upstream_blocks.includes(uuid))
    return JSON.stringify(aside.map((block) => block.uuid))
  }

/** The blocks of a pipeline: charts are among them; an extension stands below what it extends. */
export const steps: DeriveOf<'pipelines'> = ({ uuid }, model, present) => {
  const blocks = model.table('blocks').where('pipeline_uuid', uuid)
  const shown = blocks.filter(({ type }) => !foundByType.includes(type) && type !== 'extension')
  return `[${shown.map((block) => present('blocks', block)).join(',')}]`
}

/** What becomes of a new block's attributes: null for content is none, and only steps can be depended on. */
export function takeBlock(
  attributes: RequestedAttributes<'blocks'>,
  { model, parent }: RequestedAction<'blocks'>,
): RequestedAttributes<'blocks'> {
  const { content, upstream_blocks: upstream, ...others } = attributes
  const isStep = (uuid: unknown) => {
    const block = model.table('blocks').get(`${parent?.uuid}/${uuid}`)
    return block !== undefined && !foundByType.includes(block.type) && block.type !== 'extension'
  }
  return {
    ...others,
    ...(typeof content === 'string' && { content }),
    ...(Array.isArray(upstream) && { upstream_blocks: upstream.filter(isStep) }),
  }
}

/** What its blocks show only in the lists of steps. */
const ofSteps = ['callback_blocks', 'conditional_blocks', 'metadata', 'tags']

/** The extensions of a pipeline, each under the name of what it belongs to, or under that of nothing. */
export const extensions: DeriveOf<'pipelines'> = ({ uuid }, model, present) => {
  const blocks = model
    .table('blocks')
    .where('pipeline_uuid', uuid)
    .filter(({ type }) => type === 'extension')
  const shown = (block: RecordOf<'blocks'>) => {
    const attributes = Object.entries(JSON.parse(present('blocks', block)) as WireRecord)
    return Object.fromEntries(attributes.filter(([name]) => !ofSteps.includes(name)))
  }
  const names = [...new Set(blocks.map(({ extension_uuid: name }) => String(name)))]
  const of = (name: string) => blocks.filter((block) => String(block.extension_uuid) === name).map(shown)
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, { blocks: of(name) }])))
}

/** What depends on a block; an extension knows what it depends on, and is not known there. */
export const shownBelow: DeriveOf<'blocks'> = (block, model) => JSON.stringify(stepsBelow(block, model))

function stepsBelow(
  { downstream_blocks: uuids, pipeline_uuid: home }: RecordOf<'blocks'>,
  model: RequestedAction<'blocks'>['model'],
): string[] {
  return uuids.filter((uuid) => model.table('blocks').get(`${home}/${uuid}`)?.type !== 'extension')
}

/** dbt is not installed with it. */
export function refuseBlock({ attributes }: RequestedAction<'blocks'>) {
  if (attributes.type !== 'dbt') return undefined
  return recordInvalid(`name 'DBTBlock${attributes.language === 'yaml' ? 'YAML' : 'SQL'}' is not defined`)
}

/** What is made, and answered with an error: an extension that depends on a step, a global data product with content. */
export function failBlock({ attributes }: RequestedAction<'blocks'>) {
  const { type, name, content, upstream_blocks: upstream } = attributes
  if (type === 'extension' && Array.isArray(upstream) && upstream.length > 0)
    return recordInvalid("'NoneType' object has no attribute 'type'")
  if (type !== 'global_data_product' || !content) return undefined
  const uuid = String(name).toLowerCase().replaceAll(' ', '_')
  return recordInvalid(`File for block ${uuid} does not exist at /srv/global_data_products/${uuid}.py.`)
}

/** A block of a list of its own is there for who names its type; an extension for nobody. */
export function refuseAside({ record, query }: RequestedAction<'blocks'>) {
  if (record === undefined) return undefined
  const isHidden = foundByType.includes(record.type) && query.block_type !== record.type
  return isHidden || record.type === 'extension' ? recordNotFound('block', 'uuid', record.uuid) : undefined
}

/** What it does not delete: what it does not find, charts, and without force what others depend on. */
export function refuseDeletion(asked: RequestedAction<'blocks'>) {
  const { record, query, model } = asked
  if (record?.type === 'chart')
    return recordInvalid("Widget.delete() got an unexpected keyword argument 'force'")
  const below = record === undefined ? [] : stepsBelow(record, model)
  const isForced = setValues.some((value) => value === query.force)
  if (below.length > 0 && !isForced && !refuseAside(asked)) {
    const names = below.map((uuid) => `'${uuid}'`).join(', ')
    return recordInvalid(
      `Block(s) [${names}] are depending on block ${record?.uuid}. Please remove the downstream blocks first.`,
    )
  }
  return refuseAside(asked)
}
