import { expect } from 'vitest'
import { adminDocument } from '../../src/admin/admin-document.ts'
import { adminRoutes } from '../../src/admin/index.ts'
import { toTemplate } from '../../src/shared/path-templates.ts'
import { ApiReply } from './api.ts'

export const adminBase = '/__understudy__/api'
const { paths } = adminDocument(adminRoutes)

/** The problems that a route has by its description. */
function problemsOf({ method, path }: (typeof adminRoutes)[number]): number[] {
  const { responses } = paths![toTemplate(path)]![method.toLowerCase() as 'get']!
  return [...(responses!.default as { description: string }).description.matchAll(/\d+/g)].map(Number)
}

/** Checks replies of the admin API against the table of its routes. */
export class AdminCheck {
  /** The ids of the routes that gave a good reply. */
  readonly reached = new Set<string>()
  /** The ids of the routes that gave a problem, each with its status. */
  readonly met = new Set<string>()

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
    if (status >= 400) {
      expect(problemsOf(route), `of ${route.id}`).toContain(status)
      this.met.add(`${route.id} ${status}`)
      return
    }
    this.reached.add(route.id)
    expect(status).toBe(route.reply.status)
    expect(headers['cache-control']).toBe('no-store')
    if (route.reply.schema) expect(route.reply.schema.safeParse(body).error).toBeUndefined()
    else expect(text).toBe('')
  }
}
