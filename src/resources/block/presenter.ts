/** Attributes of replies, in the documented order (spec, "Block"). */
export const presents = [
  'uuid', 'name', 'type', 'language', 'color', 'configuration', 'upstream_blocks', 'downstream_blocks',
  'all_upstream_blocks_executed', 'executor_config', 'executor_type', 'has_callback', 'retry_config', 'status',
] as const // biome-ignore format: one list
