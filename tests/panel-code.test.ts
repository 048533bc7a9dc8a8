import { execFileSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import { transform } from 'sucrase'
import { expect, it } from 'vitest'
import { copies } from '../panel/src/requests/copies.ts'
import { type Act, act, codeOf, curlOf } from '../panel/src/store/acts.ts'
import { toTest } from '../panel/src/store/recorder.ts'
import type { DoneAct, RecordingStart } from '../panel/src/store/runner.ts'
import type { JournalEntry } from '../src/index.ts'

/** Texts that end the text or the line that they are in, and call `pwned` after it. */
const hostile = [
  `'+pwned()+'`,
  `"+pwned()+"`,
  '`+pwned()+`',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this text must stay a text
  '${pwned()}', `\\'+pwned()//`, '\\', `');pwned();('`, '\npwned()\n', '\r\npwned()\r\n',
  '\u2028pwned()\u2028', '\u2029pwned()\u2029', '*/pwned()/*', '</script><script>pwned()</script>',
  '$(pwned)', '`pwned`', "'; pwned; '", '"; pwned; "', '; pwned #', '\n-o /tmp/pwned\n', '@/etc/passwd',
  '-K /etc/passwd', '[1-3]{a,b}', '__proto__', 'ünï\u0007',
] // biome-ignore format: a list

/** Runs a script with objects that record their calls. Returns the texts in it, and whether `pwned` was called. */
function run(script: string): { readonly texts: Set<unknown>; readonly isPwned: boolean } {
  const texts = new Set<unknown>()
  let isPwned = false
  const note = (value: unknown): void => {
    if (value === recorder) return
    if (typeof value === 'string') texts.add(value)
    if (typeof value === 'function') note(value(recorder))
    if (typeof value !== 'object' || value === null) return
    for (const [name, item] of Object.entries(value)) {
      texts.add(name)
      note(item)
    }
  }
  const recorder: object = new Proxy(() => undefined, {
    get: (_, name) => {
      if (name === 'then' || typeof name === 'symbol') return undefined
      texts.add(name)
      return recorder
    },
    apply: (_, __, given: unknown[]) => {
      for (const each of given) note(each)
      return recorder
    },
  })
  const context = {
    understudy: recorder,
    fetch: recorder,
    expect: recorder,
    fixture: {},
    __dirname: '/',
    exports: {},
    Date: recorder,
    Object: recorder,
    pwned: () => {
      isPwned = true
    },
    JSON: {
      stringify: (value: unknown) => {
        note(value)
        return ''
      },
      parse: () => ({}),
    },
    require: () => ({
      createUnderstudy: (options: unknown) => {
        note(options)
        return recorder
      },
      expect: recorder,
      readFileSync: () => '',
      join: () => '',
      it: (_: string, test: () => unknown) => void test(),
    }),
  }
  runInNewContext(script, context)
  return { texts, isPwned }
}

/** Runs commands in which `curl` prints its arguments, and returns these for each command. */
function runShell(commands: readonly string[]): string[][] {
  const script = `curl() { printf '%s\\0' "$@" END; }; pwned() { printf 'PWNED\\0'; }\n${commands.join('\n')}`
  const output = execFileSync('bash', ['-c', script], { encoding: 'utf8' })
  return output
    .split('END\0')
    .slice(0, -1)
    .map((each) => each.split('\0').slice(0, -1))
}

function entryWith(text: string): JournalEntry {
  return {
    sequence: 1,
    world: text,
    at: '2026-01-01T00:00:00.000Z',
    operation: 'createPipeline',
    method: text,
    path: `/api/pipelines/${text}`,
    query: { [text]: text },
    params: { [text]: text },
    status: 200,
    httpStatus: 200,
    milliseconds: 1,
    held: 0,
    request: { headers: { cookie: text, 'x-api-key': text }, body: { [text]: [text] } },
    reply: { headers: {}, body: {} },
    changes: [{ op: 'replace', path: `/pipelines/k/${text}`, value: text, previous: text }],
    followed: [],
    faults: [text],
    notes: [],
  }
}

const record = (text: string) => ({ plural: text, where: { [text]: text }, key: text })
/** Every act, with a text in each of its places. */
const actsWith = (text: string): Act[] => [
  act('clock.advance', text),
  act('clock.freeze', text),
  act('faults.add', { [text]: text }),
  act('faults.remove', text),
  act('runs.script', { pipeline_uuid: text }, text),
  act('runs.finish', 1, text),
  act('assumptions.switch', { [text]: text }),
  act('scenarios.start', text),
  act('snapshot', text),
  act('restore', text),
  act('import', { [text]: [{ [text]: text }] }),
  act('worlds.create', text, { profile: text }),
  act('worlds.delete', text),
  act('create', text, { [text]: text }),
  act('make', text, [text], { [text]: text }),
  act('update', record(text), { [text]: text }),
  act('delete', record(text)),
  act('fetch', text, text, { [text]: text }),
]

it.each(hostile)('writes %j into the code of every act as a value', (text) => {
  for (const each of actsWith(text)) {
    const code = codeOf(each, text).text
    const { texts, isPwned } = run(`(async () => { await ${code} })()`)
    expect(isPwned, code).toBe(false)
    expect(texts, code).toContain(text)
  }
})

it.each([true, false, null, 7, [], {}, 'x'])(
  'writes a member that is named like the code of its value %j',
  (value) => {
    const name = typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
    const { texts } = run(
      `(async () => { await ${codeOf(act('update', record('a'), { [name]: value }), 'a').text} })()`,
    )

    expect(texts).toContain(name)
  },
)

it('writes any text into the command of every act as one argument', () => {
  const commands = hostile.flatMap((text) =>
    actsWith(text).map((each) => ({
      text,
      name: each.name,
      shell: curlOf(each, text, 'http://localhost'),
    })),
  )
  const outputs = runShell(commands.map(({ shell }) => shell))

  expect(outputs.length).toBe(commands.length)
  for (const [index, { text, name, shell }] of commands.entries()) {
    const given = outputs[index]!
    const options = given.filter((_, place) => place > 0 && place % 2 === 1).slice(0, -1)
    expect(given[0], shell).toMatch(/^-sg?$/)
    expect(
      options.every((option) => ['-X', '-H', '--data-raw'].includes(option)),
      shell,
    ).toBe(true)
    expect(given.at(-1), shell).toMatch(/^http:\/\/localhost/)
    if (name === 'fetch') expect(given, shell).toContain(text)
  }
})

it('copies a request with any text in each of its places as one command', () => {
  const entries = hostile.map(entryWith)
  const outputs = runShell(entries.map((entry) => copies.curl.write(entry, 'http://localhost')))

  for (const [index, text] of hostile.entries()) {
    const body = JSON.stringify({ [text]: [text] })
    const headers = ['-H', `cookie: ${text}`, '-H', `x-api-key: ${text}`]
    expect(outputs[index]?.slice(1, -1)).toEqual(['-X', text, ...headers, '--data-raw', body])
  }
})

it.each(hostile)('copies a request with %j in each of its places as TypeScript', (text) => {
  const entry = entryWith(text)
  for (const form of ['fetch', 'matcher'] as const) {
    const { texts, isPwned } = run(`(async () => {${copies[form].write(entry, 'http://localhost')}\n})()`)
    expect(isPwned).toBe(false)
    expect(texts).toContain(text)
  }
})

it.each(hostile)('records a test with %j in each of its places', (text) => {
  const start: RecordingStart = {
    world: text,
    fixture: { pipelines: [{ name: text }] },
    faults: [{ [text]: text }],
    sequence: 0,
  }
  const done = actsWith(text).map(
    (act): DoneAct => ({
      act,
      world: text,
      now: 0,
      wasRunning: true,
      after: undefined,
      value: { id: text, httpStatus: 200, body: { [text]: text } },
      changed: { [text]: { created: [{ [text]: text }] } },
      sequence: 0,
    }),
  )
  const unanswered = { ...entryWith(text), sequence: 2, status: 0 }
  const resources = [
    {
      plural: 'pipelines',
      singular: 'pipeline',
      key: 'uuid',
      scope: null,
      isStored: true,
      isOpen: false,
      attributes: {},
      references: {},
      traits: [],
      operations: [],
    },
  ]
  const test = toTest(start, done, [entryWith(text), unanswered], resources).text
  const { texts, isPwned } = run(transform(test, { transforms: ['typescript', 'imports'] }).code)

  expect(isPwned, test).toBe(false)
  expect(texts).toContain(text)
})

it('takes no text for code, whatever its form', () => {
  const forged = { language: 'TypeScript', text: 'pwned()' }
  const code = codeOf(act('faults.add', { forged }), 'main').text

  expect(code).toBe("understudy.faults.add({ forged: { language: 'TypeScript', text: 'pwned()' } })")
})
