import type { WorldOptions } from '../../../src/engine/worlds/world-start.ts'
import { worldHeader } from '../../../src/shared/credentials.ts'
import { camelCase } from '../../../src/shared/letter-case.ts'
import { adminPath } from '../../../src/shared/own-paths.ts'
import { shellWord } from '../../../src/shared/shell-word.ts'
import { type Act, adminCallOf, type NamedRecord } from './acts.ts'
import { toLiteral } from './literal.ts'

/** The handle of a world in code. */
const handleOf = (world: string) => (world === 'main' ? 'understudy' : `understudy.world('${world}')`)

function whereOf({ where }: NamedRecord): string {
  return `(q) => q.where(${toLiteral(where)})`
}

/** An act as a call in TypeScript, without `await`; `handle` is what stands for the world. */
export function codeOf(done: Act, world: string, handle = handleOf(world)): string {
  switch (done.name) {
    case 'worlds.create': {
      const [name, options = {}] = done.given
      return `understudy.worlds.create('${name}'${writeOptions(options)})`
    }
    case 'worlds.delete':
      return `understudy.worlds.delete('${done.given[0]}')`
    case 'create':
      return `${handle}.model.${done.given[0]}.create(${toLiteral(done.given[1])})`
    case 'make': {
      const [singular, traits, values] = done.given
      const given = Object.keys(values).length === 0 ? '' : toLiteral(values)
      const chosen = traits.length === 0 ? '' : `.with(${traits.map((trait) => `'${trait}'`).join(', ')})`
      return `${handle}.factories.${camelCase(singular)}${chosen}.create(${given})`
    }
    case 'update': {
      const [record, changes] = done.given
      return `${handle}.model.${record.plural}.update(${whereOf(record)}, {
  data: (draft) => void Object.assign(draft, ${toLiteral(changes, '  ')}),
})`
    }
    case 'delete':
      return `${handle}.model.${done.given[0].plural}.delete(${whereOf(done.given[0])})`
    case 'fetch': {
      const [method, path, body] = done.given
      const options = [
        ...(method === 'GET' ? [] : [`method: '${method}'`]),
        ...(body === undefined
          ? []
          : [`headers: { 'content-type': 'application/json' }`, `body: JSON.stringify(${toLiteral(body)})`]),
      ]
      if (options.length === 0) return `${handle}.fetch('${path}')`
      return `${handle}.fetch('${path}', {\n${options.map((option) => `  ${option.replaceAll('\n', '\n  ')},\n`).join('')}})`
    }
    case 'import':
      return `${handle}.import(fixture)`
    default:
      return `${handle}.${done.name}(${done.given.map((each) => toLiteral(each)).join(', ')})`
  }
}

/** Writes the options of a new world as code; `written` is the code of its fixture. */
export function writeOptions({ fixture, ...options }: WorldOptions, written = 'fixture'): string {
  const given = [
    ...(fixture === undefined ? [] : [written]),
    ...Object.entries(options).map(([name, value]) => `${name}: ${toLiteral(value)}`),
  ]
  return given.length === 0 ? '' : `, { ${given.join(', ')} }`
}

/** An act as a command, for a server at an address. */
export function curlOf(done: Act, world: string, origin: string): string {
  if (done.name === 'fetch') {
    const [method, path, body] = done.given
    const chosen = world === 'main' ? '' : ` -H '${worldHeader}: ${world}'`
    return `curl -s${method === 'GET' ? '' : ` -X ${method}`}${chosen}${dataOf(body)} ${shellWord(`${origin}${path}`)}`
  }
  const [method, path, body] = adminCallOf(done, world)
  return `curl -s -X ${method}${dataOf(body)} ${shellWord(`${origin}${adminPath}${path}`)}`
}

function dataOf(body: unknown): string {
  return body === undefined
    ? ''
    : ` -H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(body))}`
}
