import { expect } from 'vitest'
import { adminRoutes } from '../../src/admin/index.ts'
import { ApiReply } from './api.ts'

export const adminBase = '/__understudy__/api'

/** Checks replies of the admin API against the table of its routes. */
export class AdminCheck {
  /** The ids of the routes that gave a good reply. */
  readonly reached = new Set<string>()

  /** Sends a request as `fetch` does, and checks the reply if it is of the admin API. */
  readonly fetch = async (input: string | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init)
    const { method, url } = input instanceof Request ? input : new Request(input, init)
    const { pathname } = new URL(url)
    if (!pathname.startsWith(adminBase)) return response
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const text = isStream ? '' : await response.clone().text()
    const reply = new ApiReply(response.status, Object.fromEntries(response.headers), text)
    this.check(method, pathname.slice(adminBase.length), reply)
    return response
  }

  check(method: string, path: string, { status, headers, text, body }: ApiReply): void {
    const route = adminRoutes.find(
      (candidate) =>
        candidate.method === method &&
        new RegExp(`^${candidate.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
    )
    if (route === undefined) {
      expect([404, 405]).toContain(status)
      return
    }
    if (status >= 400) return
    this.reached.add(route.id)
    expect(status).toBe(route.reply.status)
    expect(headers['cache-control']).toBe('no-store')
    if (route.reply.schema) expect(route.reply.schema.safeParse(body).error).toBeUndefined()
    else expect(text).toBe('')
  }
}
