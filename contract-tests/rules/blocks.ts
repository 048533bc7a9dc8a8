import { defineRules } from './define-rules.ts'

const deleted = 'Response on success: `{ block: <Block> }` (without `content` and `outputs`).'

/** Rules about blocks that are not about an aspect of every operation. */
export const blockRules = [
  ...defineRules(
    { section: 'Create block', prefix: 'block-create', operation: 'createBlock', effects: 'writes' },
    [
      [
        'eight-fields',
        'The reply carries eight attributes and no others.',
        'Response: `{ block: { content, name, priority, config, language, type, configuration, upstream_blocks } }`.',
        // The specification requires the eight attributes; it does not forbid others.
        { source: 'inferred' },
      ],
      [
        'newlines',
        'The reply returns newlines written as `/n` unchanged.',
        'Block content; newlines written as `/n`.',
        { source: 'example' },
      ],
      ['name-required', 'A block without a `name` is an error.'],
      ['type-required', 'A block without a `type` is an error.'],
      ['type-listed', 'No block has a `type` outside the list.'],
      ['language-listed', 'No block has a `language` outside the list.'],
    ],
  ),
  ...defineRules(
    { section: 'Create block', prefix: 'block-uuid', operation: 'createBlock', effects: 'writes' },
    [
      [
        'safe',
        'A generated `uuid` is one segment of a path, whatever slashes the name contains.',
        'Used to generate the uuid; slugified to a safe uuid.',
      ],
    ],
  ),
  ...defineRules({ section: 'Block', prefix: 'block-new', operation: 'readBlock', effects: 'writes' }, [
    ['status', '`status` of a new block is `not_executed`.', { source: 'example' }],
    ['executor-type', '`executor_type` of a new block is `local_python`.', { source: 'example' }],
  ]),
  ...defineRules(
    { section: 'Delete block', prefix: 'block-delete', operation: 'deleteBlock', effects: 'writes' },
    [
      ['no-content', 'The reply has no `content`.', deleted],
      ['no-outputs', 'The reply has no `outputs`.', deleted],
      [
        'refused',
        'A block with downstream dependencies is not deleted without `force`.',
        'When the block has downstream dependencies and `force` is absent, the deletion is refused.',
      ],
    ],
  ),
]
