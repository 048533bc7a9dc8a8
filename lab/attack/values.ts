import { attack, codeOf, differs } from './target.ts'

/** Values that match their schema, and their effects on later requests. */
export const valueAttacks = [
  attack({
    name: 'values: the highest id, then another record',
    async send({ call }) {
      const create = async (project: object) => codeOf(await call('POST', '/api/projects', { project }))
      return [
        await create({ id: 2 ** 53 - 1 }),
        await create({}),
        await create({ id: 2 ** 52 - 1 }),
        await create({}),
        await create({}),
      ]
    },
    problemOf: (codes) => differs('codes', [200, 200, 200, 200, 200], codes),
  }),
]
