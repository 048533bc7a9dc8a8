import { attack, codeOf, differs } from './target.ts'

/** Values that fit their schema, and what comes after them. */
export const valueAttacks = [
  attack({
    name: 'values: the highest id, then another record',
    async send({ ask }) {
      const create = async (project: object) => codeOf(await ask('POST', '/api/projects', { project }))
      return [
        await create({ id: 2 ** 53 - 1 }),
        await create({}),
        await create({ id: 2 ** 52 - 1 }),
        await create({}),
        await create({}),
      ]
    },
    holds: (codes) => differs('codes', [200, 200, 200, 200, 200], codes),
  }),
  attack({
    name: 'values: twenty intervals of 2 MB, which are refused',
    async send({ ask }) {
      const codes = new Set<number>()
      for (let index = 0; index < 20; index++) {
        const schedule_interval = `${index} ${'1,'.repeat(1_000_000)}1 * * *`
        const pipeline_schedule = { name: 'a', schedule_interval }
        const answer = await ask('POST', '/api/pipelines/daily_sales/pipeline_schedules', {
          pipeline_schedule,
        })
        codes.add(codeOf(answer))
      }
      return [...codes]
    },
    isLong: true,
    holds: (codes) => differs('codes', [400], codes),
  }),
  attack({
    name: 'values: credentials in every place and spelling, then journal and archive',
    async send({ ask, admin }) {
      const secret = 'hush-2f81'
      const session = {
        email: 'a@b.c',
        password: secret,
        passWord: secret,
        'access-token': secret,
        [`${'x'.repeat(300)}[password]`]: secret,
      }
      await ask('POST', '/api/sessions', { session, apiKey: secret, accessToken: secret })
      await ask('POST', '/api/sessions', `session[password]=${secret}&session%5Bpassword%5D=${secret}`, {
        'content-type': 'application/x-www-form-urlencoded',
      })
      const part = `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--x--`
      await ask('POST', '/api/sessions', part, { 'content-type': 'multipart/form-data; boundary=x' })
      await ask('GET', `/api/pipelines?api_key=${secret}&token=${secret}&session[password]=${secret}`)
      await ask('GET', '/api/pipelines', undefined, {
        ...{ 'x-api-key': secret, 'oauth-token': secret, authorization: `Bearer ${secret}` },
        cookie: `oauth_token=${secret}; a=b`,
      })
      await ask('POST', `/api/pipeline_schedules/1/pipeline_runs/${secret}`)
      const seen = [
        await admin('GET', '/worlds/main/journal'),
        await admin('GET', '/worlds/main/journal.har'),
      ]
      return seen.map(({ text }) => text.length > 1_000 && !text.includes(secret))
    },
    holds: (found) => differs('journal and archive without it', [true, true], found),
  }),
  attack({
    name: 'values: 3,000 requests of 60 KB each in ten worlds, which no journal keeps all of',
    isLong: true,
    async send({ ask, admin }) {
      const backfill = { variables: { text: 'x'.repeat(60_000) } }
      for (let index = 0; index < 3_000; index++)
        await ask('PUT', '/api/backfills/1', { backfill }, { 'x-understudy-world': `w${index % 10}` })
      const lost: number[] = []
      for (let index = 0; index < 10; index++)
        lost.push(((await admin('GET', `/worlds/w${index}/journal`)).body as { lost: number }).lost)
      return lost.reduce((sum, each) => sum + each, 0) > 1_000
    },
    holds: (isBounded) => differs('whether requests were dropped', true, isBounded),
  }),
]
