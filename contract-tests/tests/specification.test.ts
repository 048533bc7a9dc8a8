import { expect, it } from 'vitest'
import { checkTarget } from '../index.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'

it('conforms to every rule of the specification', async () => {
  const target = answering(createTarget({ auth: 'login' }))
  const { findings, leftBehind } = await checkTarget({ ...builtIn, target })

  expect(findings.filter(({ verdict }) => verdict.kind !== 'passed')).toEqual([])
  expect(findings.length).toBeGreaterThan(400)
  expect(leftBehind.filter(({ kind }) => kind !== 'token')).toEqual([])
})
