import { expect, it } from 'vitest'
import { checkTarget } from '../contract-tests/index.ts'
import { builtIn, createTarget } from '../contract-tests/targets/built-in.ts'

it.each(['open', 'login'] as const)(
  'conforms to every rule of the specification in %s mode',
  async (auth) => {
    const target = createTarget({ auth, strict: true })
    const { findings, leftBehind } = await checkTarget({ ...builtIn, target })
    const passed = findings.filter(({ verdict }) => verdict.kind === 'passed')
    const skipped = findings.filter(({ verdict }) => verdict.kind === 'skipped')

    expect(findings.filter((finding) => !passed.includes(finding) && !skipped.includes(finding))).toEqual([])
    expect(passed.length).toBeGreaterThan(400)
    expect(leftBehind).toEqual([])
  },
)
