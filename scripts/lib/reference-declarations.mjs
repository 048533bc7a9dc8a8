// Generates the parts of docs/reference that come from declarations and their comments: errors, matchers, options.
import { readFileSync } from 'node:fs'
import { code, table } from './markdown.mjs'

/** The members of an object or interface that a source declares: the comment before each, name, parameters and type. */
function membersOf(path, name) {
  const source = readFileSync(path, 'utf8')
  const [, body] =
    new RegExp(`(?:const|interface) ${name}\\b[^{]*(\\{\\n[\\s\\S]*?\\n)\\}`).exec(source) ?? []
  if (body === undefined) throw new Error(`${path} declares no ${name}.`)
  const members =
    /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/)?\n {2}(?:readonly )?(\w+)\??(?:<[^>\n]*>)?(?:\(([^)]*)\))?:\s+([^\n]+?),?(?=\n)/g
  return [...body.matchAll(members)].map(([, comment, name, parameters, type]) => ({
    comment: comment?.replaceAll(/\s*\n\s*\* ?/g, '\n').trim(),
    name,
    parameters,
    type: type.replace(/^readonly /, ''),
  }))
}

/** The name, the type and the comment of each member. */
function documentedMembers(path, name) {
  return membersOf(path, name).map((member) => {
    if (member.comment === undefined) throw new Error(`${path} does not describe ${member.name} of ${name}.`)
    return [code(member.name), code(member.type), member.comment]
  })
}

/** The errors of the API, then the error codes of the library. */
export function errorTables() {
  const types = membersOf('src/shared/errors.ts', 'errorCodes')
  const statuses = Object.fromEntries(
    membersOf('src/shared/problem-status.ts', 'problemStatus').map(({ name, type }) => [name, type]),
  )
  const codes = membersOf('src/shared/understudy-error.ts', 'ErrorCodes')
  return {
    types: table(
      ['code', 'type', 'when'],
      types.map(({ name, type, comment }) => [type, code(name), comment]),
    ),
    codes: table(
      ['code', 'when', 'HTTP status of the admin API'],
      codes.map(({ name, comment }) => [code(name), comment, statuses[name] ?? '']),
    ),
  }
}

/** The matchers with their descriptions, and the members of a pattern. */
export function matcherTables() {
  const path = 'src/integrations/matchers/types.ts'
  const matchers = membersOf(path, 'UnderstudyMatchers').map(({ comment, name, parameters }) => {
    const [description, example] = comment.split('\n@example\n')
    const names = [...parameters.matchAll(/(?:^|,)\s*(\w+\??):/g)].map(([, parameter]) => parameter)
    return [code(`${name}(${names.join(', ')})`), description, code(example)]
  })
  const pattern = documentedMembers(path, 'RequestPattern').map(([name, , text]) => [name, text])
  return {
    matchers: table(['matcher', 'what it expects', 'such as'], matchers),
    pattern: table(['of a pattern', 'what it asks for'], pattern),
  }
}

const observer = ['src/server/listener.ts', 'ObserverOption']
/** The functions with options, and the declarations of these. */
const declared = {
  '`createUnderstudy(options)`': [['src/engine/read-options.ts', 'UnderstudyOptions']],
  '`createUnderstudy({ journal })`': [['src/engine/journal/journal.ts', 'JournalOptions']],
  '`createUnderstudy({ worlds })`': [['src/engine/worlds/worlds.ts', 'WorldsOptions']],
  '`createHandlers(understudy, options)`': [['src/handlers/resolver.ts', 'HandlerOptions']],
  '`createApp(understudy, options)`, `createListener(understudy, options)`': [
    ['src/server/listener.ts', 'ListenerOptions'],
    observer,
  ],
  '`serve(understudy, options)`': [['src/server/serve.ts', 'ServeOptions'], observer],
  '`createClient(url, options)`': [['src/admin/client/create-client.ts', 'ClientOptions']],
  '`mountPanel(understudy, options)`': [['panel/src/mount.tsx', 'PanelOptions']],
  '`understudy(options)` of the plugin for Vite\n\nAll of `createUnderstudy`, and:': [
    ['src/integrations/vite/index.ts', 'VitePluginOptions'],
    ['src/integrations/vite/use-understudy.ts', 'ServedOptions'],
  ],
  '`handlerOptions` of a test of vitest\n\nThose of `createHandlers` but `world`, and:': [
    ['src/integrations/vitest/understudy-fixtures.ts', 'TestHandlerOptions'],
  ],
  '`understudyFixtures(place)` for Playwright': [['src/integrations/playwright/index.ts', 'UnderstudyPlace']],
  '`parameters.understudy` of a story': [['src/integrations/storybook/index.ts', 'StoryParameters']],
  '`checkTarget(options)`': [['contract-tests/runner/options.ts', 'CheckOptions']],
  '`verify(options)`\n\nThose of `checkTarget`, and:': [['contract-tests/verify/verify.ts', 'VerifyOptions']],
}

/** The options of each function, from their comments. */
export function optionSections() {
  const sections = Object.entries(declared).map(([heading, declarations]) => {
    const rows = declarations.flatMap(([path, name]) => documentedMembers(path, name))
    return `## ${heading}\n\n${table(['option', 'type', 'what it does'], rows)}`
  })
  return { options: sections.join('\n\n') }
}
