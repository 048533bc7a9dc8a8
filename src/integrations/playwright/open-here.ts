import type { BrowserContext, Route, TestInfo } from '@playwright/test'
import { createUnderstudy, type Understudy } from '../../engine/create-understudy.ts'
import type { UnderstudyOptions } from '../../engine/read-options.ts'
import { escapeRegExp } from '../../shared/glob.ts'
import { readBaseUrl, withoutPrefix } from '../../shared/urls.ts'
import { noteUsage } from '../usage/note-usage.ts'
import { attachJournal } from './attach-journal.ts'

export async function openHere(
  options: UnderstudyOptions,
  use: (understudy: Understudy) => Promise<void>,
  test: TestInfo,
): Promise<void> {
  const understudy = createUnderstudy(options)
  try {
    await use(understudy)
    const named = understudy.worlds
      .list()
      .filter(({ name, requests }) => requests > 0 && name !== understudy.name)
    await attachJournal(test, understudy)
    for (const { name } of named) await attachJournal(test, understudy.world(name), ` of ${name}`)
    await noteUsage([understudy, ...named.map(({ name }) => understudy.world(name))])
  } finally {
    understudy.dispose()
  }
}

/** Answers the API requests of the pages of a context, until a call of the returned function. */
export async function answerContext(
  context: BrowserContext,
  understudy: Understudy,
  baseUrl = '',
): Promise<() => Promise<void>> {
  const { origin, prefix } = readBaseUrl(baseUrl)
  const pattern = new RegExp(`^${origin}${escapeRegExp(prefix)}/api(?:[/?].*)?$`)
  await context.route(pattern, (route) => answer(route, understudy, prefix))
  return () => context.unrouteAll({ behavior: 'ignoreErrors' })
}

async function answer(route: Route, understudy: Understudy, prefix: string): Promise<void> {
  const request = route.request()
  const body = request.postDataBuffer()
  try {
    const reply = await understudy.fetch(withoutPrefix(request.url(), prefix), {
      method: request.method(),
      headers: await request.allHeaders(),
      ...(body !== null && { body: new Uint8Array(body) }),
    })
    await route.fulfill({
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      body: Buffer.from(await reply.arrayBuffer()),
    })
  } catch {
    // A fault has closed the connection, or the page no longer exists.
    await route.abort('connectionreset').catch(() => undefined)
  }
}
