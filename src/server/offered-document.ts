import type { Understudy } from '../engine/create-understudy.ts'
import { meaningOf } from '../openapi/parameters.ts'
import { parseJson } from '../shared/json.ts'
import { tokenOf } from './token-of.ts'

type AnyRecord = Readonly<Record<string, unknown>>

/** The parts of an OpenAPI document that a page offers as values of a request. */
interface OfferedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OfferedOperation>>>>
  readonly components: { readonly requestBodies: Readonly<Record<string, OfferedBody>> }
}
interface OfferedOperation {
  readonly parameters?: readonly { readonly name: string; example?: unknown }[]
}
interface OfferedBody {
  readonly content: Readonly<Record<string, { readonly examples: Record<string, { value: object }> }>>
}

/**
 * Fills the examples of an OpenAPI document, a JSON text, with keys of present records and the credentials of the first
 * user, so that a request with the offered values succeeds. Adds the credentials that the page fills in.
 */
export async function offerRecords(text: string, understudy: Understudy): Promise<string> {
  const { paths, components, ...others }: OfferedDocument = Object(parseJson(text))
  for (const [path, operations] of Object.entries(paths)) {
    const values = valuesFor(path, understudy)
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters) parameter.example = values[parameter.name] ?? parameter.example
    }
  }
  const user = understudy.model.users.findFirst()
  const signIn = components.requestBodies.CreateSession?.content['application/json']?.examples
  if (signIn !== undefined && user !== undefined)
    signIn.createSession = { value: { session: { email: user.email, password: user.password } } }
  return JSON.stringify({ ...others, paths, components, 'x-credentials': await credentialsOf(understudy) })
}

/** Returns the credentials that the page fills in, by security scheme. */
async function credentialsOf(understudy: Understudy): Promise<Readonly<Record<string, string>>> {
  const [key] = understudy.apiKeys
  const token = await tokenOf(understudy)
  return {
    ...(key !== undefined && { apiKeyInHeader: key }),
    ...(token !== undefined && { decodedTokenInHeader: token }),
  }
}

/** Returns values for the parameters of a path: of its first record, the records that it refers to, and its references. */
function valuesFor(path: string, { endpoints, model }: Understudy): Readonly<Record<string, unknown>> {
  const all = new Set(endpoints.map(({ resource }) => resource))
  const resources = [...all].filter(({ stored }) => stored !== false)
  const find = ({ plural }: { readonly plural: string }, where: object = {}): AnyRecord => {
    const collection: AnyCollection | undefined = Reflect.get(model, plural)
    return collection?.findFirst((query) => query.where(where)) ?? {}
  }
  const segments = path.split('/')
  const named = segments.flatMap((segment, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? []
    const [owner, attribute] = name === undefined ? [] : meaningOf(resources, segments.slice(0, index), name)
    return name === undefined || owner === undefined ? [] : [{ name, owner, attribute }]
  })
  const listed = resources.find(({ plural }) => plural === segments.at(-1))
  const last = named.at(-1)?.owner ?? listed
  if (last === undefined) return {}
  const record = find(last)
  const values = Object.fromEntries(
    named.map(({ name, owner, attribute = owner.key }) => {
      if (owner === last) return [name, record[attribute]]
      const [reference = ''] =
        Object.entries(last.references ?? {}).find(([, to]) => to.plural === owner.plural) ?? []
      return [name, find(owner, { [owner.key]: record[reference] })[attribute]]
    }),
  )
  const references = Object.keys(listed?.references ?? {})
  const first = listed === undefined ? {} : find(listed)
  return { ...Object.fromEntries(references.map((name) => [name, first[name]])), ...values }
}

interface AnyCollection {
  findFirst(query: (query: { where(values: object): unknown }) => unknown): AnyRecord | undefined
}
