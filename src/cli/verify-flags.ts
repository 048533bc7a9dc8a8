import { InvalidArgumentError } from '@commander-js/extra-typings'
import type { Basis, Expected, VerifyOptions } from '../../contract-tests/verify/index.ts'
import { defaultUrl } from '../shared/default-address.ts'
import { isObject } from '../shared/is-object.ts'
import { withoutTrailingSlashes } from '../shared/trailing-slashes.ts'
import { readTextFile } from './files.ts'

/** The flags of `understudy verify`, as they were given. */
export interface VerifyFlags {
  readonly apiKey?: string
  readonly email?: string
  readonly password?: string
  readonly token?: string
  readonly readOnly?: boolean
  readonly plan?: boolean
  readonly only?: string[]
  readonly baseline?: string
  readonly report?: Record<string, string>
  readonly allowDestructive?: boolean
  readonly useConventions?: boolean
  readonly timeout: number
  readonly delay?: number
  readonly need?: Record<string, string>
  readonly needs?: string
  readonly prefix?: string
  readonly shard?: string
  readonly stories?: number
  readonly minutes?: number
  readonly seed?: number
  readonly shrink?: boolean
  readonly concurrency?: number
  readonly merge?: string[]
  readonly strict?: Basis[]
  readonly expect?: Expected
  readonly clean?: boolean
  readonly verbose?: boolean
  readonly quiet?: boolean
  readonly json?: boolean
}

/** What rules may need besides, and how each is written. */
const needForms = { schedule: 'ID:TOKEN', 'other-token': 'TOKEN', 'expired-token': 'TOKEN' }
/** The same, as people are told. */
export const needsInWords = Object.entries(needForms)
  .map(([name, form]) => `${name}=${form}`)
  .join(', ')

/**
 * Makes options of flags.
 *
 * @throws where a flag says what cannot be.
 */
export async function toOptions(url: string | undefined, flags: VerifyFlags): Promise<VerifyOptions> {
  if (url === undefined || !URL.canParse(url) || !/^https?:/.test(url)) {
    throw new Error(
      `Expected a base URL such as ${defaultUrl}; found ${url === undefined ? 'nothing' : shownUrl(url)}.`,
    )
  }
  if (/[?#]/.test(url))
    throw new Error(
      'Expected a base URL, to which paths are added; found one with a query or a fragment. A key is passed with --api-key.',
    )
  if (/\/api\/*$/.test(new URL(url).pathname)) {
    throw new Error(
      'Expected what stands before /api, which every path of the API begins with; leave /api away from the URL.',
    )
  }
  checkUser(flags)
  const needs = { ...(flags.needs === undefined ? {} : await readNeeds(flags.needs)), ...flags.need }
  const unknown = Object.keys(needs).find((name) => !Object.hasOwn(needForms, name))
  if (unknown !== undefined)
    throw new Error(
      `There is no need ${/^[a-z][a-z-]{0,19}$/.test(unknown) ? unknown : 'of that name'}; there are ${needsInWords}.`,
    )
  const [, id, token] = /^(\d+):(.+)$/.exec(needs.schedule ?? '') ?? []
  if (needs.schedule !== undefined && (id === undefined || token === undefined)) {
    throw new Error('--need schedule: expected ID:TOKEN, such as schedule=12:4f7c….')
  }
  return {
    target: withoutTrailingSlashes(url),
    apiKey: flags.apiKey,
    email: flags.email,
    password: flags.password,
    token: flags.token,
    readOnly: flags.readOnly === true,
    only: flags.only ?? [],
    baseline: flags.baseline,
    reports: flags.report ?? {},
    allowDestructive: flags.allowDestructive === true,
    useConventions: flags.useConventions === true,
    timeout: flags.timeout,
    otherToken: needs['other-token'],
    expiredToken: needs['expired-token'],
    schedule: id === undefined || token === undefined ? undefined : { id, token },
    shard: flags.shard,
    strict: flags.strict ?? [],
    expect: flags.expect,
    stories: flags.stories,
    minutes: flags.minutes,
    delay: flags.delay,
    seed: flags.seed,
    shrink: flags.shrink,
    concurrency: flags.concurrency,
    ...(flags.prefix === undefined ? {} : { prefix: flags.prefix }),
  }
}

/** A text that should be a URL, as far as it holds no credential: they stand before the last @, and in a query. */
function shownUrl(text: string): string {
  const [address = ''] = text.split(/[?#]/)
  const user = address.lastIndexOf('@')
  return user < 0 ? address : `${/^\w+:\/\//.exec(address)?.[0] ?? ''}${address.slice(user + 1)}`
}

/** A credential that goes nowhere, as from a variable that is not set, would leave rules unjudged without a word. */
function checkUser({ apiKey, token, email, password }: VerifyFlags): void {
  const given = { '--api-key': apiKey, '--token': token, '--email': email, '--password': password }
  for (const [flag, value] of Object.entries(given))
    if (value === '') throw new Error(`${flag} is empty; give it a value, or leave it out.`)
  if (email !== undefined && password === undefined)
    throw new Error('--email needs --password: nobody signs in without one.')
  if (password !== undefined && email === undefined)
    throw new Error('--password needs --email: it says whose password that is.')
}

async function readNeeds(file: string): Promise<Record<string, string>> {
  const broken = (found: string) =>
    new Error(
      `[understudy] Expected needs as JSON in ${file}, such as { "schedule": "12:TOKEN" }; found ${found}.`,
    )
  let text: string
  try {
    text = await readTextFile(file)
  } catch (error) {
    throw broken(`no file that can be read (${(error as NodeJS.ErrnoException).code})`)
  }
  let needs: unknown
  try {
    needs = JSON.parse(text)
  } catch {
    throw broken('no JSON')
  }
  const isText = (value: unknown) => typeof value === 'string'
  if (!isObject(needs) || !Object.values(needs).every(isText))
    throw broken('something else than names with texts')
  // Every value was just seen to be a text.
  return needs as Record<string, string>
}

const bases = { samples: 'sample', conventions: 'convention' } as const

/** Reads `--strict`. */
export function readBases(text: string): Basis[] {
  return text.split(',').map((name) => {
    const basis = Object.entries(bases).find(([plural]) => plural === name)?.[1]
    if (basis === undefined)
      throw new InvalidArgumentError('Expected samples, conventions, or both with a comma.')
    return basis
  })
}

/** Reads `name=value`, several with commas between them. */
export function readPairs(text: string, before: Record<string, string> = {}): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const [name, ...rest] = pair.split('=')
    if (!name || rest.length === 0) throw new InvalidArgumentError('Expected name=value.')
    return [name, rest.join('=')] as const
  })
  return { ...before, ...Object.fromEntries(pairs) }
}

/** Reads a duration in minutes, or parts of one. */
export function readMinutes(text: string): number {
  const minutes = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && minutes > 0 && minutes <= mostMinutes) return minutes
  throw new InvalidArgumentError(`Expected minutes, such as 10 or 0.5, and ${mostMinutes} at most.`)
}

const mostMinutes = 24 * 60
