import { toUuid } from '../../shared/uuid-rule.ts'
import { textOf } from '../../shared/values.ts'
import { defineResource } from '../define-resource.ts'
import { fixture } from './fixture.ts'
import { createBlock, deleteBlock, listBlocks, readBlock, updateBlock } from './operations.ts'
import { presents } from './presenter.ts'
import { attributes, references } from './schema.ts'

/** The resource of blocks: one row of the table. */
export const block = defineResource(
  'blocks',
  {
    singular: 'block',
    key: 'uuid',
    displayName: 'name',
    scope: 'pipeline_uuid',
    attributes,
    references,
    shownIn: 'pipeline_uuid',
    order: { by: 'priority' },
    presents,
    fixture,
    operations: [createBlock, listBlocks, readBlock, updateBlock, deleteBlock],
  },
  {
    // Not validated yet: the name may not be a text.
    complete: (record) => ({ uuid: toUuid(textOf(record.name)), name: record.uuid, ...record }),
  },
)
