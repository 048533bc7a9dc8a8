import { defineRules } from './define-rules.ts'

const creates = '`POST /api/pipelines/:pipeline_uuid/blocks` creates a block in one or more pipelines.'
const response =
  'Response: `{ block: { content, name, priority, config, language, type, configuration, upstream_blocks } }`.'
const reads =
  'returns the contents and metadata of a block as `{ block: <Block> }`, including `content` and `outputs`.'
const deleted = 'Response on success: `{ block: <Block> }` (without `content` and `outputs`).'
const deletes = 'deletes a block from a pipeline.'
const refused = 'When the block has downstream dependencies and `force` is absent, the deletion is refused.'

export const blockRules = [
  ...defineRules(
    { section: 'Create block', prefix: 'block-create', operation: 'createBlock', effects: 'writes' },
    [
      // That the eight attributes are present is specified; that there are no others is not.
      ['eight-fields', 'The reply carries eight attributes and no others.', response, { source: 'inferred' }],
      ['name', 'The reply has the `name` that was sent.', response],
      ['type', 'The reply has the `type` that was sent.', response],
      ['content', 'The reply has the `content` that was sent.', response],
      ['language', 'The reply has the `language` that was sent.', response],
      ['config', 'The reply has the `config` that was sent.', response],
      ['configuration', 'The reply has the `configuration` that was sent.', response],
      ['priority', 'The reply has the `priority` that was sent.', response],
      ['upstream', 'The reply has the `upstream_blocks` that were sent.', response],
      ['empty-content', 'A block created without `content` is empty.'],
      [
        'newlines',
        'Newlines written as `/n` are returned unchanged.',
        'Block content; newlines written as `/n`.',
        { source: 'example' },
      ],
      ['name-required', 'A block without a `name` is an error.'],
      ['type-required', 'A block without a `type` is an error.'],
      ['type-listed', 'No block has a `type` outside the list.'],
      ['language-listed', 'No block has a `language` outside the list.'],
      ['stored', 'The new block can be read.', creates],
      ['joins-pipeline', 'The new block is among the blocks of its pipeline.', creates],
      ['unknown-pipeline', 'A block for an unknown pipeline is an error.', creates, { source: 'inferred' }],
      ['all-types', 'Every listed block `type` is accepted.'],
      ['all-languages', 'Every listed `language` is accepted.'],
      ['several-pipelines', 'A block is created in each pipeline named in `pipelines`.'],
    ],
  ),
  ...defineRules({ section: 'Block', prefix: 'block-uuid', operation: 'readBlock', effects: 'writes' }, [
    ['spaces', 'Spaces in the name become underscores in the `uuid`.'],
    ['generated', '`uuid` is generated from `name` when it is not sent.'],
    [
      'safe',
      'A generated `uuid` is one segment of a path, whatever slashes the name contains.',
      'Used to generate the uuid; slugified to a safe uuid.',
      { section: 'Create block', operation: 'createBlock' },
    ],
  ]),
  ...defineRules({ section: 'Block', prefix: 'block-new', operation: 'readBlock', effects: 'writes' }, [
    ['status', '`status` of a new block is `not_executed`.', { source: 'example' }],
    ['executor-type', '`executor_type` of a new block is `local_python`.', { source: 'example' }],
    ['downstream', '`downstream_blocks` names the blocks that depend on a block.'],
    ['upstream', '`upstream_blocks` names the blocks that a block depends on.'],
  ]),
  ...defineRules({ section: 'Read block', prefix: 'block-read', operation: 'readBlock', effects: 'writes' }, [
    ['content', '`content` is the content that was sent.', reads],
    ['outputs', '`outputs` is an array.', reads],
    ['fields', 'All fourteen attributes of a block are present.', reads],
    ['unknown', 'An unknown block is an error.', reads, { source: 'inferred' }],
    [
      'other-pipeline',
      'A block is not found through a pipeline it is not in.',
      reads,
      { source: 'inferred' },
    ],
  ]),
  ...defineRules(
    { section: 'Delete block', prefix: 'block-delete', operation: 'deleteBlock', effects: 'writes' },
    [
      ['returns-block', 'The deleted block is returned.', deleted],
      ['fields', 'All fourteen attributes of a block are present in the reply.', deleted],
      ['no-content', 'The reply has no `content`.', deleted],
      ['no-outputs', 'The reply has no `outputs`.', deleted],
      ['gone', 'A deleted block can no longer be read.', deletes],
      ['refused', 'A block with downstream dependencies is not deleted without `force`.', refused],
      ['refused-unchanged', 'A refused deletion removes nothing.', refused],
      [
        'forced',
        '`force=True` deletes a block with downstream dependencies.',
        '`force` | query | boolean | Boolean `True` force-deletes a block.',
      ],
      ['block-type', 'The query parameter `block_type` is accepted.', { source: 'example' }],
      ['leaves-pipeline', 'A deleted block is no longer among the blocks of its pipeline.', deletes],
      ['unknown', 'Deleting an unknown block is an error.', deletes, { source: 'inferred' }],
    ],
  ),
]
