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
