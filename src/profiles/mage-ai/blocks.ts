import type { RecordOf } from '../../resources/records.ts'
import { setValues, type WireRecord } from '../../resources/resource.ts'
import { recordInvalid, recordNotFound } from '../../shared/errors.ts'
import type { DeriveOf, RequestedAction, RequestedAttributes } from '../define-profile.ts'

type BlockType = RecordOf<'blocks'>['type']

/** Types whose files start empty; all others start with a template. */
const withoutTemplate: readonly BlockType[] = [
  'chart',
  'extension',
  'global_data_product',
  'markdown',
  'scratchpad',
]
/** Types with separate lists; a request finds them only with `block_type`. */
const foundByType: readonly BlockType[] = ['callback', 'conditional']

/** Shows a template if a block has no content. The text of the template is not the server's. */
export const contentOrTemplate: DeriveOf<'blocks'> = ({ content, type }) =>
  JSON.stringify(
    content || withoutTemplate.includes(type) ? content : `# Template code for a ${type} block.\n`,
  )

/** Types whose creation fails before their content sets a status. */
const withoutUpdate: readonly BlockType[] = ['callback', 'extension', 'global_data_product']

/** Shows `updated` if a client has written content. */
export const statusOf: DeriveOf<'blocks'> = ({ status, content, type }) => {
  const isUpdated = status === 'not_executed' && content !== '' && !withoutUpdate.includes(type)
  const shown: typeof status = isUpdated ? 'updated' : status
  return JSON.stringify(shown)
}

/** Lists the callbacks or conditionals of a block. */
export const attached =
  (type: 'callback' | 'conditional'): DeriveOf<'blocks'> =>
  ({ uuid, pipeline_uuid: home }, model) => {
    const siblings = model.table('blocks').where('pipeline_uuid', home)
    const own = siblings.filter((block) => block.type === type && block.upstream_blocks.includes(uuid))
    return JSON.stringify(own.map((block) => block.uuid))
  }

/** Lists the steps of a pipeline. Charts are steps; callbacks, conditionals and extensions are not. */
export const steps: DeriveOf<'pipelines'> = ({ uuid }, model, present) => {
  const blocks = model.table('blocks').where('pipeline_uuid', uuid)
  return `[${blocks
    .filter(isStep)
    .map((block) => present('blocks', block))
    .join(',')}]`
}

function isStep({ type }: RecordOf<'blocks'>): boolean {
  return !foundByType.includes(type) && type !== 'extension'
}

/** Reads the written attributes: `null` for content has no effect, nor do upstream blocks that are not steps. */
export function narrowCreation(
  attributes: RequestedAttributes<'blocks'>,
  { model, parent }: RequestedAction<'blocks'>,
): RequestedAttributes<'blocks'> {
  const { content, upstream_blocks: upstream, ...others } = attributes
  const namesStep = (uuid: unknown) => {
    const block = model.table('blocks').get(`${parent?.uuid}/${uuid}`)
    return block !== undefined && isStep(block)
  }
  return {
    ...others,
    ...(typeof content === 'string' && { content }),
    ...(Array.isArray(upstream) && { upstream_blocks: upstream.filter(namesStep) }),
  }
}

/** Attributes that blocks show in the list of steps only. */
const stepAttributes = ['callback_blocks', 'conditional_blocks', 'metadata', 'tags']

/** Groups the extensions of a pipeline by `extension_uuid`; those without one are under `null`. */
export const extensions: DeriveOf<'pipelines'> = ({ uuid }, model, present) => {
  const blocks = model
    .table('blocks')
    .where('pipeline_uuid', uuid)
    .filter(({ type }) => type === 'extension')
  const shown = (block: RecordOf<'blocks'>) => {
    const attributes: WireRecord = JSON.parse(present('blocks', block))
    return Object.fromEntries(Object.entries(attributes).filter(([name]) => !stepAttributes.includes(name)))
  }
  const names = [...new Set(blocks.map(({ extension_uuid: name }) => String(name)))]
  const of = (name: string) => blocks.filter((block) => String(block.extension_uuid) === name).map(shown)
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, { blocks: of(name) }])))
}

/** Lists the blocks that depend on a block, without extensions. */
export const downstreamBlocks: DeriveOf<'blocks'> = (block, model) =>
  JSON.stringify(downstreamSteps(block, model))

function downstreamSteps(
  { downstream_blocks: uuids, pipeline_uuid: home }: RecordOf<'blocks'>,
  model: RequestedAction<'blocks'>['model'],
): string[] {
  return uuids.filter((uuid) => model.table('blocks').get(`${home}/${uuid}`)?.type !== 'extension')
}

/** Rejects dbt blocks: dbt is not installed with the server. */
export function refuseCreation({ attributes }: RequestedAction<'blocks'>) {
  if (attributes.type !== 'dbt') return undefined
  return recordInvalid(`name 'DBTBlock${attributes.language === 'yaml' ? 'YAML' : 'SQL'}' is not defined`)
}

/** Reports an error though it creates an extension that depends on a step, or a global data product with content. */
export function failCreation({ attributes }: RequestedAction<'blocks'>) {
  const { type, name, content, upstream_blocks: upstream } = attributes
  if (type === 'extension' && Array.isArray(upstream) && upstream.length > 0)
    return recordInvalid("'NoneType' object has no attribute 'type'")
  if (type !== 'global_data_product' || !content) return undefined
  const uuid = String(name).toLowerCase().replaceAll(' ', '_')
  return recordInvalid(`File for block ${uuid} does not exist at /srv/global_data_products/${uuid}.py.`)
}

/** Hides extensions, and callbacks and conditionals where the query does not name their type. */
export function refuseRead({ record, query }: RequestedAction<'blocks'>) {
  if (record === undefined) return undefined
  const isHidden = foundByType.includes(record.type) && query.block_type !== record.type
  return isHidden || record.type === 'extension' ? recordNotFound('block', 'uuid', record.uuid) : undefined
}

/** Rejects the deletion of hidden blocks, of charts, and without `force` of blocks that others depend on. */
export function refuseDeletion(action: RequestedAction<'blocks'>) {
  const { record, query, model } = action
  if (record?.type === 'chart')
    return recordInvalid("Widget.delete() got an unexpected keyword argument 'force'")
  const dependents = record === undefined ? [] : downstreamSteps(record, model)
  const isForced = setValues.some((value) => value === query.force)
  const hidden = refuseRead(action)
  if (dependents.length > 0 && !isForced && hidden === undefined) {
    const names = dependents.map((uuid) => `'${uuid}'`).join(', ')
    return recordInvalid(
      `Block(s) [${names}] are depending on block ${record?.uuid}. Please remove the downstream blocks first.`,
    )
  }
  return hidden
}
