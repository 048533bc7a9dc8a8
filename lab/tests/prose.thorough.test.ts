import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const linter = join(import.meta.dirname, '../prose.mjs')

/** Creates a repository with one commit. */
function createRepository(subject: string, files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'prose-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const git = (...parameters: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...parameters], {
      cwd: folder,
      env: { ...process.env, GIT_COMMITTER_DATE: '2027-01-01T00:00:00Z' },
    })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--no-gpg-sign', '-m', subject)
  return folder
}

function lint(folder: string, ...parameters: string[]) {
  const { stdout, status } = spawnSync(process.execPath, [linter, '--root', folder, ...parameters], {
    encoding: 'utf8',
  })
  return { lines: stdout.trim().split('\n'), status }
}

const longSentence = `It has ${'many '.repeat(23)}words.`

it('reports each kind of violation with its place', () => {
  const folder = createRepository('Add some things', {
    'docs/page.md': `# Page\n\nA world is born\nfrom a fixture.\n\n- ${longSentence}\n\n| a | It stands here. |\n`,
    'src/code.ts':
      "// What this is for.\nexport const a = 'The server says no.'\n/** Whether it is on. */\nexport const b = 'The run is kept.'\n",
    'panel/view.css': 'a {\n  /* Where it stands. */\n}\n',
    'panel/view.tsx': 'export const view = <p>Several moments ago</p>\n',
  })

  const { lines, status } = lint(folder, 'docs', 'src', 'panel')

  expect(status).toBe(1)
  expect(lines).toEqual([
    'docs/page.md:3: error: "born": use "created".',
    expect.stringMatching(/^docs\/page\.md:6: error: 26 words: "It has many /),
    'docs/page.md:8: error: "stands": use "is, is located, precedes, prefix".',
    'panel/view.css:2: error: "stands": use "is, is located, precedes, prefix".',
    'panel/view.css:2: error: A comment begins with "Where": begin with a verb or a noun.',
    'panel/view.tsx:1: error: "moments": use "timestamp, due time, point in time".',
    'src/code.ts:1: error: A comment begins with "What": begin with a verb or a noun.',
    'src/code.ts:3: error: A comment begins with "Whether": begin with a verb or a noun.',
    'src/code.ts:2: error: "says": use "report, log, show".',
    'src/code.ts:4: error: "kept": use "store, retain".',
    'Commit subject: expected "type(scope): what it does": Add some things',
    'Prose: 11 errors, 0 warnings.',
  ])
})

it('reports coined words in the names of files and of what they declare', () => {
  const folder = createRepository('feat: add code', {
    'src/kept-texts.ts': [
      'export interface Told<Moment> {\n  readonly asksMore: boolean\n  strikes(ours: Moment): void\n}',
      'export class Desk {\n  #faces = 1\n}',
      'const { a: [born], ...others } = globalThis as never',
      'export const b = ({ judged = 1 }) => ({ upcoming: born, story: others, keepAlive: judged })',
      'export const c = b({ judged: 2 }).upcoming',
    ].join('\n'),
    'src/storybook/stories.ts': "export const stories = { 'a story': 1 }\n",
  })

  const { lines } = lint(folder, 'src')

  expect(lines.map((line) => /"(.*)" in the name/.exec(line)?.[1]).filter(Boolean)).toEqual([
    'kept',
    'told',
    'moment',
    'asks',
    'strikes',
    'ours',
    'desk',
    'faces',
    'born',
    'judged',
    'upcoming',
    'story',
    'judged',
  ])
})

it('warns of the passive voice and of long sentences in code', () => {
  const folder = createRepository('feat: add code', { 'src/code.ts': `// ${longSentence} It is stored.\n` })

  const { lines, status } = lint(folder, 'src', '--warnings')

  expect(status).toBe(0)
  expect(lines).toEqual([
    expect.stringMatching(/^src\/code\.ts:1: warning: 26 words: /),
    'src/code.ts:1: warning: Passive voice: "is stored".',
    'Prose: 0 errors, 2 warnings.',
  ])
})

it('reads no code, no addresses and no generated parts', () => {
  const folder = createRepository('docs: add pages', {
    'docs/page.md': [
      '# Page\n\n`stands` and [the verifier](judging.md#laws), see https://example.com/story\n',
      '```js\nconst stands = 1 // What stands\n```\n',
      '<!-- table: written by npm run docs -->\nIt stands.\n<!-- end of table -->\n',
    ].join('\n'),
    'docs/reference/rules.md': 'It stands.\n',
    'src/code.ts': "// See `stands`, the Storybook story.\nexport const a = 'judge'\n",
  })

  expect(lint(folder, 'docs', 'src')).toEqual({ lines: ['Prose: 0 errors, 0 warnings.'], status: 0 })
})

it.each([
  ['a subject of more than 72 characters', `feat: ${'a'.repeat(67)}`, '73 characters, at most 72: '],
  ['an unknown type', 'update: add code', 'expected "type(scope): what it does": '],
  ['a capital letter', 'feat: Add code', 'expected "type(scope): what it does": '],
  ['a full stop', 'feat: add code.', 'expected "type(scope): what it does": '],
])('rejects %s', (_, subject, problem) => {
  const folder = createRepository(subject, { 'docs/page.md': '# Page\n' })

  expect(lint(folder, 'docs')).toEqual({
    lines: [`Commit subject: ${problem}${subject}`, 'Prose: 1 errors, 0 warnings.'],
    status: 1,
  })
})

it('checks all files, unless paths name some', () => {
  const folder = createRepository('docs: add pages', {
    'docs/a.md': 'It stands.\n',
    'docs/b.md': 'It stands.\n',
  })
  const error = ':1: error: "stands": use "is, is located, precedes, prefix".'

  expect(lint(folder).lines).toEqual([
    `docs/a.md${error}`,
    `docs/b.md${error}`,
    'Prose: 2 errors, 0 warnings.',
  ])
  expect(lint(folder, 'docs/b.md').lines).toEqual([`docs/b.md${error}`, 'Prose: 1 errors, 0 warnings.'])
})

it('skips commit subjects in a shallow clone', () => {
  const folder = createRepository('Add some things', { 'docs/page.md': '# Page\n' })
  const clone = mkdtempSync(join(tmpdir(), 'prose-'))
  execFileSync('git', ['clone', '--quiet', '--depth', '1', pathToFileURL(folder).href, clone])

  expect(lint(clone, 'docs').status).toBe(0)
})
