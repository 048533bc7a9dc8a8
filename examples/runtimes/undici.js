import { MockAgent, request, setGlobalDispatcher } from 'undici'

/** Answers every undici request to an origin. */
export function usePipelineApi(understudy, origin) {
  const agent = new MockAgent()
  agent.disableNetConnect()
  setGlobalDispatcher(agent)
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
    agent
      .get(origin)
      .intercept({ path: (path) => path.startsWith('/api'), method })
      .reply(({ path, method, headers, body }) => {
        const reply = understudy.dispatch({ method, url: origin + path, headers, body: body ?? undefined })
        return { statusCode: reply.status, data: reply.body, responseOptions: { headers: reply.headers } }
      })
      .persist()
  return { request, close: () => agent.close() }
}
