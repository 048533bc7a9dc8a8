/** Names that tell right from wrong. */
export const names = [
  'Plain Name',
  'two-hyphens-here',
  'Ünïcode 数据 <b>&</b>',
  'a'.repeat(90),
  'x  two  blanks',
]
export const blockTypes = ['callback', 'chart', 'conditional', 'custom', 'data_exporter', 'data_loader', 'dbt', 'extension', 'global_data_product', 'markdown', 'scratchpad', 'sensor', 'transformer'] // biome-ignore format: a list
export const languages = ['python', 'sql', 'r', 'yaml', 'markdown']
export const objects = [
  { a: null, Upper: 1, b: 0, c: '', d: { e: [1], F: 'ü' }, g: 1.5, h: true },
  {},
  { 'x.y': 1, only: [1], pipeline_run: { variables: { v: 1 } } },
]
