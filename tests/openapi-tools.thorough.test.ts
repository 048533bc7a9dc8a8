import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, lintFromString, loadConfig } from '@redocly/openapi-core'
import { astToString, generate } from 'openapi-typescript-tool'
import { beforeAll, expect, it } from 'vitest'
import { openapiJson } from '../src/openapi/index.ts'
import { root } from './support/root.ts'
import { makeFolder } from './support/temporary.ts'

let lintConfig: Config
beforeAll(async () => {
  lintConfig = await loadConfig({ configPath: join(root, 'redocly.yaml') })
})

it.each(['3.1', '3.0'] as const)('passes a linter in version %s', async (version) => {
  const problems = await lintFromString({
    source: openapiJson(version),
    absoluteRef: 'openapi.json',
    config: lintConfig,
  })

  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
})

it('gives types that a client compiles with, and that refuse what the API would', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'api.ts'), astToString(await generate(openapiJson())))
  writeFileSync(join(folder, 'client.ts'), client)
  const flags = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--types',
    '',
  ]
  const output = execFileSync(
    join(root, 'node_modules/.bin/tsc'),
    [...flags, '--allowImportingTsExtensions', 'client.ts'],
    { cwd: folder, encoding: 'utf8' },
  )

  expect(output).toBe('')
})

const client = `
import type { components, operations } from './api.ts'

type ReplyTo<Id extends keyof operations> = operations[Id]['responses'][200]['content']['application/json']
declare function call<Id extends keyof operations>(id: Id): Promise<ReplyTo<Id>>

export async function readContent(): Promise<string> {
  const reply = await call('readBlock')
  // The key \`error\` tells the two apart.
  if (reply.error) return \`\${reply.error.code} \${reply.status satisfies 200}\`
  return reply.block.content
}

export async function readNames(): Promise<string[]> {
  const reply = await call('listBackfills')
  return reply.error ? [] : reply.backfills.map(({ name, total_run_count = 0 }) => name + total_run_count)
}

export async function readUuid(): Promise<unknown> {
  const reply = await call('createBlock')
  // @ts-expect-error: the reply has eight fields, and uuid is none of them.
  return reply.error ? '' : reply.block.uuid
}

export const tags: operations['listPipelineSchedules']['parameters']['query'] = { 'tag[]': ['nightly', 'finance'] }
export const cancel: components['schemas']['UpdateBackfillBody'] = { backfill: { status: 'cancelled' }, api_key: 'key' }
// @ts-expect-error: a backfill is never done.
export const wrong: components['schemas']['UpdateBackfillBody'] = { backfill: { status: 'done' } }
// @ts-expect-error: a block needs a type.
export const short: components['schemas']['CreateBlockBody'] = { block: { name: 'load' } }
export const variables: components['schemas']['TriggerPipelineBody'] = { any: { thing: [1, null] } }
`
