import { defineRules } from './define-rules.ts'

export const blockRules = [
  ...defineRules(
    { section: 'Create block', prefix: 'block-create', operation: 'createBlock', effects: 'writes' },
    [
      [
        'eight-fields',
        'The reply carries exactly content, name, priority, config, language, type, configuration, upstream_blocks.',
        // That they are there is stated; that nothing else is, is not.
        { source: 'inferred' },
      ],
      ['name', 'The reply has the name that was sent.'],
      ['type', 'The reply has the type that was sent.'],
      ['content', 'The reply has the content that was sent.'],
      ['language', 'The reply has the language that was sent.'],
      ['config', 'The reply has the config that was sent.'],
      ['configuration', 'The reply has the configuration that was sent.'],
      ['priority', 'The reply has the priority that was sent.'],
      ['upstream', 'The reply has the upstream blocks that were sent.'],
      ['empty-content', 'A block without content is created empty.'],
      ['newlines', 'Newlines written as /n come back as they were sent.', { source: 'example' }],
      ['name-required', 'A block without a name is an error.'],
      ['type-required', 'A block without a type is an error.'],
      ['type-listed', 'No block has a type outside the list.'],
      ['language-listed', 'No block has a language outside the list.'],
      ['stored', 'The new block can be read.'],
      ['joins-pipeline', 'The new block is among the blocks of its pipeline.'],
      ['unknown-pipeline', 'A block for an unknown pipeline is an error.', { source: 'inferred' }],
      ['all-types', 'Every block type of the list is accepted.'],
      ['all-languages', 'Every language of the list is accepted.'],
      ['several-pipelines', 'A block is created in each pipeline named in pipelines.'],
    ],
  ),
  ...defineRules({ section: 'Block', prefix: 'block-uuid', operation: 'readBlock', effects: 'writes' }, [
    ['spaces', 'Spaces in the name become underscores in the uuid.'],
    ['generated', 'uuid is generated from name when it is not sent.'],
  ]),
  ...defineRules({ section: 'Block', prefix: 'block-new', operation: 'readBlock', effects: 'writes' }, [
    ['status', 'status of a new block is not_executed.', { source: 'example' }],
    ['executor-type', 'executor_type of a new block is local_python.', { source: 'example' }],
    ['downstream', 'downstream_blocks of a block that another depends on names that other.'],
    ['upstream', 'upstream_blocks names the blocks it depends on.'],
  ]),
  ...defineRules({ section: 'Read block', prefix: 'block-read', operation: 'readBlock', effects: 'writes' }, [
    ['content', 'content is present and is what was sent.'],
    ['outputs', 'outputs is present and is an array.'],
    ['fields', 'All fourteen fields of a block are present.'],
    ['unknown', 'An unknown block is an error.', { source: 'inferred' }],
    ['other-pipeline', 'A block is not found through a pipeline it is not in.', { source: 'inferred' }],
  ]),
  ...defineRules(
    { section: 'Delete block', prefix: 'block-delete', operation: 'deleteBlock', effects: 'writes' },
    [
      ['returns-block', 'The deleted block is returned.'],
      ['fields', 'All fourteen fields of a block are present in the reply.'],
      ['no-content', 'The reply has no content.'],
      ['no-outputs', 'The reply has no outputs.'],
      ['gone', 'A deleted block can no longer be read.'],
      ['refused', 'A block with downstream dependencies is not deleted without force.'],
      ['refused-unchanged', 'A refused deletion removes nothing.'],
      ['forced', 'force=True deletes a block with downstream dependencies.'],
      ['block-type', 'The query parameter block_type is accepted.', { source: 'example' }],
      ['leaves-pipeline', 'A deleted block is no longer among the blocks of its pipeline.'],
      ['unknown', 'Deleting an unknown block is an error.', { source: 'inferred' }],
    ],
  ),
]
