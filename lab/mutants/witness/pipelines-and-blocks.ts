import { isObject } from '../../../contract-tests/runner/is-object.ts'
import type { Recorder } from './recorder.ts'
import { blockTypes, languages, names, objects } from './values.ts'

/** Makes, reads and deletes them in every way. */
export async function pipelines(to: Recorder): Promise<string[]> {
  const uuids: string[] = []
  await to.ask('GET', '/api/pipelines')
  for (const type of ['python', 'streaming', 'pyspark', 'integration']) {
    for (const name of names) {
      const { pipeline } = await to.ask('POST', '/api/pipelines', {
        pipeline: { name: `${name} ${type}`, type },
      })
      if (isObject(pipeline)) uuids.push(String(pipeline.uuid))
      for (let times = 0; times < 2; times++)
        await to.ask('GET', `/api/pipelines/${encodeURIComponent(uuids.at(-1) ?? '')}`)
      await to.ask('GET', '/api/pipelines')
    }
  }
  for (const pipeline of [
    { type: 'python' },
    { name: 'untyped' },
    { name: 'capital', type: 'Python' },
    { name: 'edged', type: ' python ' },
    { name: 'unlisted', type: 'perl' },
  ]) {
    await to.ask('POST', '/api/pipelines', { pipeline })
    await to.ask('POST', '/api/pipelines', { pipeline: { ...pipeline, name: 'again' } })
    await to.ask('GET', '/api/pipelines')
  }
  await to.ask(
    'POST',
    '/api/pipelines?api_key=contract-key',
    { pipeline: { name: 'by-query-and-so-on', type: 'python' } },
    { 'OAUTH-TOKEN': 'judge-active-token' },
  )
  await to.ask(
    'POST',
    '/api/pipelines',
    { pipeline: { name: 'by body', type: 'python' }, api_key: 'contract-key' },
    { 'OAUTH-TOKEN': 'judge-active-token' },
  )
  await to.atOnce(
    ['one', 'two', 'three'].map((name) => ({
      method: 'POST',
      path: '/api/pipelines',
      body: { pipeline: { name: `at-once-${name}`, type: 'python' } },
    })),
  )
  for (const path of [
    '/api/pipelines/no_such',
    `/api/pipelines/${uuids[0]}`,
    '/api/pipelines/standing',
    '/api/pipelines/two_hyphens_here_python',
    '/api/pipelines/at_once_one',
    '/api/pipelines/at_once_three',
  ]) {
    for (const query of ['', '?include_schedules=1', '?include_schedules=0', '?api_key=contract-key'])
      await to.ask('GET', `${path}${query}`)
  }
  for (const query of [
    '',
    '?include_schedules=1',
    '?include_schedules=0',
    '?_limit=2&_offset=1',
    '?api_key=contract-key',
  ]) {
    for (let times = 0; times < 2; times++) await to.ask('GET', `/api/pipelines${query}`)
  }
  return uuids
}

/** Makes, reads and deletes them in every way. */
export async function blocks(to: Recorder, uuids: readonly string[]): Promise<void> {
  const [home = '', other = '', strange = '', third = ''] = uuids
  const at = `/api/pipelines/${home}/blocks`
  const made: string[] = []
  for (const [index, type] of blockTypes.entries()) {
    const block = {
      name: `${names[index % names.length]} b ${index} c`,
      type,
      language: languages[index % languages.length],
      content: [' padded  text \n', 'Ünï <x> & "y"', '', `${'long '.repeat(30)}`][index % 4],
      configuration: index % 3 === 0 ? {} : { data_provider: 'Pöstgres', use_raw_sql: '' },
      config: objects[index % 3],
      color: index % 2 === 0 ? 'teal' : undefined,
      priority: index % 5 === 4 ? undefined : index % 3,
      upstream_blocks: index % 4 === 0 ? undefined : made.slice(-(index % 4)),
      pipelines: index % 6 === 2 ? [other, third] : undefined,
    }
    await to.ask('POST', at, { block })
    const { pipeline } = await to.ask('GET', `/api/pipelines/${home}`)
    const known = isObject(pipeline)
      ? [pipeline.blocks, pipeline.callbacks, pipeline.conditionals, pipeline.widgets].flat()
      : []
    const found = known.filter(isObject).find(({ name }) => name === block.name)
    made.push(String(found?.uuid))
    for (const query of ['', '', '?api_key=contract-key'])
      await to.ask('GET', `${at}/${encodeURIComponent(made.at(-1) ?? '')}${query}`)
    await to.ask('GET', `/api/pipelines/${other}`)
    await to.ask('GET', `/api/pipelines/${third}`)
  }
  for (const type of ['transformer', 'dbt']) {
    await to.ask('POST', at, { block: { name: `sparse ${type}`, type } })
    await to.ask('POST', at, { block: { name: `first ${type}`, type, priority: 0, language: 'SQL' } })
    await to.ask('POST', at, { block: { name: `first ${type}`, type, priority: 0, language: 'sql' } })
    await to.ask('POST', at, { block: { name: `alone ${type}`, type: type.toUpperCase() } })
    await to.ask('POST', at, { block: { name: `edged ${type}`, type: ` ${type}`, language: ' sql ' } })
  }
  await to.ask('POST', at, { block: { type: 'custom' } })
  await to.ask('POST', at, { block: { name: 'typeless' } })
  await to.ask('POST', at, { block: { name: 'one more untyped' } })
  await to.ask('POST', at, { block: { type: 'custom' } })
  await to.ask('POST', `/api/pipelines/${encodeURIComponent(strange)}/blocks`, {
    block: { name: 'Straße Ü', type: 'custom', content: 'ü' },
  })
  await to.ask(
    'GET',
    `/api/pipelines/${encodeURIComponent(strange)}/blocks/${encodeURIComponent('straße_ü')}`,
  )
  await to.atOnce(
    ['p', 'q'].map((name) => ({
      method: 'POST',
      path: `${at}?api_key=contract-key`,
      body: { block: { name: `${name} together now`, type: 'custom', content: 'c', language: 'r' } },
    })),
  )
  for (const uuid of ['p_together_now', 'q_together_now', 'sparse_dbt']) await to.ask('GET', `${at}/${uuid}`)
  await to.atOnce([
    { method: 'GET', path: `${at}/sparse_dbt` },
    { method: 'GET', path: `${at}/p_together_now` },
    { method: 'GET', path: `/api/pipelines/${home}` },
  ])
  await to.ask('GET', `/api/pipelines/${other}/blocks/sparse_dbt`)
  for (const query of ['', '?force=False', '?block_type=custom']) {
    for (const uuid of made.slice(0, 6)) {
      await to.ask('DELETE', `${at}/${encodeURIComponent(uuid)}${query}`)
      await to.ask('GET', `${at}/${encodeURIComponent(uuid)}`)
    }
    await to.ask('GET', `/api/pipelines/${home}`)
  }
  for (const uuid of made) {
    await to.ask('DELETE', `${at}/${encodeURIComponent(uuid)}?force=True`)
    await to.ask('DELETE', `${at}/${encodeURIComponent(uuid)}`)
    for (let times = 0; times < 2; times++) await to.ask('GET', `${at}/${encodeURIComponent(uuid)}`)
    for (const pipeline of [home, other, third]) await to.ask('GET', `/api/pipelines/${pipeline}`)
  }
  await to.ask('DELETE', `/api/pipelines/${other}/blocks/sparse_dbt`)
  await to.ask(
    'DELETE',
    `/api/pipelines/${encodeURIComponent(strange)}/blocks/${encodeURIComponent('straße_ü')}`,
  )
  await to.atOnce([
    { method: 'DELETE', path: `${at}/p_together_now?api_key=contract-key` },
    { method: 'DELETE', path: `${at}/q_together_now` },
    { method: 'DELETE', path: `${at}/no_such` },
  ])
  await to.ask('GET', `/api/pipelines/${home}`)
}
