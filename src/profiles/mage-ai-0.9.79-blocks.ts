import { setValues, type WireRecord } from '../resources/resource.ts'
import { recordInvalid, recordNotFound } from '../wire/errors.ts'
import type { Asked, DeriveOf } from './define-profile.ts'

/** The types that are written empty where others get a template. */
const withoutTemplate = ['chart', 'extension', 'global_data_product', 'markdown', 'scratchpad']
/** The types that stand in lists of their own, and are found there only by their type. */
const foundByType = ['callback', 'conditional']

/** A block without content is written from a template; its text here is another. */
export const contentOrTemplate: DeriveOf<'blocks'> = ({ content, type }) =>
  JSON.stringify(
    content || withoutTemplate.includes(type) ? content : `# Template code for a ${type} block.\n`,
  )

/** Content that a client has written makes it one that was updated. */
export const statusOf: DeriveOf<'blocks'> = ({ status, content }) =>
  JSON.stringify(status === 'not_executed' && content !== '' ? 'updated' : status)

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
export function takeBlock(attributes: WireRecord, { model, parent }: Asked<'blocks'>): WireRecord {
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

/** dbt is not installed with it. */
export function refuseBlock({ attributes }: Asked<'blocks'>) {
  return attributes.type === 'dbt' ? recordInvalid("name 'DBTBlockYAML' is not defined") : undefined
}

/** A block of a list of its own is there for who names its type; an extension for nobody. */
export function refuseAside({ record, query }: Asked<'blocks'>) {
  if (record === undefined) return undefined
  const isHidden = foundByType.includes(record.type) && query.block_type !== record.type
  return isHidden || record.type === 'extension' ? recordNotFound('block', 'uuid', record.uuid) : undefined
}

/** What it does not delete: what it does not find, charts, and without force what others depend on. */
export function refuseDeletion(asked: Asked<'blocks'>) {
  const { record, query } = asked
  if (record?.type === 'chart')
    return recordInvalid("Widget.delete() got an unexpected keyword argument 'force'")
  const below = record?.downstream_blocks ?? []
  const isForced = setValues.some((value) => value === query.force)
  if (below.length > 0 && !isForced && !refuseAside(asked)) {
    const names = below.map((uuid) => `'${uuid}'`).join(', ')
    return recordInvalid(
      `Block(s) [${names}] are depending on block ${record?.uuid}. Please remove the downstream blocks first.`,
    )
  }
  return refuseAside(asked)
}
