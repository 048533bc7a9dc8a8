import { expect, it as itInParts } from 'vitest'
import { createApp } from '../../src/server/create-app.ts'
import { firstOf, wholly } from '../../tests/support/depth.ts'
import { brokenServers } from '../mutants/catalogue.ts'
import { toFaultyVariant } from '../mutants/faulty-variants.ts'
import { newDeviations } from '../reports/report.ts'
import { checkTarget } from '../runner/check-target.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { listen } from './listen.ts'
import { paste } from './paste.ts'

const it = wholly(itInParts)

/** Judges a wrong server that listens, and gives what shows each deviation. */
async function startBroken(name: string) {
  const broken = brokenServers.find((server) => server.name === name)!
  const understudy = createTarget({ auth: 'login', faultyVariant: toFaultyVariant(broken) })
  const url = await listen(createApp(understudy))
  const only = [broken.breaks]
  const { findings } = await checkTarget({
    ...builtIn,
    target: url,
    allowDestructive: false,
    sequences: 0,
    only,
  })
  const evidence = newDeviations(findings).find(({ rule }) => rule.id === broken.breaks)!.verdict.evidence
  const counts = () =>
    (['pipelines', 'backfills', 'pipeline_schedules', 'pipeline_runs'] as const).map((plural) =>
      understudy.model[plural].count(),
    )
  return { evidence, counts }
}

itInParts.each(
  firstOf(2, [
    ['any-language', /\{"block":\{\}\}\nHTTP 200/],
    ['run-of-another-pipeline', /"pipeline_uuid":"another".*\nHTTP 200/],
    ['deleted-block-stays', /"uuid":"again\w+".*\nHTTP 200/],
    ['update-replaces-all', /"name":null.*\nHTTP 200/],
    ['http-404-record', /record_not_found.*\nHTTP 404/],
    ['priority-forgotten', /"priority":null.*\nHTTP 200/],
    ['settings-null', /"settings":null.*\nHTTP 200/],
    ['tags-ignored', /"tags":\["blue"\].*\nHTTP 200/],
    ['limit-ignored', /"backfills":\[\{.*\},\{.*\},\{.*\nHTTP 200/],
  ] as const),
)('writes a script that shows the server %s to be wrong, and leaves nothing', async (name, shown) => {
  const { evidence, counts } = await startBroken(name)
  const before = counts()
  const { out, err } = await paste(evidence.reproduction)

  expect(out).toMatch(shown)
  expect(out).toContain('\nexpected: ')
  expect(err).toBe('')
  expect(counts()).toEqual(before)
  expect(evidence.reproduction).not.toMatch(/\*\*\*|contract-key|gavel-and-robe|eyJ/)
})

it('says which variable is missing where one is', async () => {
  const { evidence } = await startBroken('priority-forgotten')
  const script = evidence.reproduction.replace(/UNDERSTUDY_API_KEY/g, 'UNDERSTUDY_NO_KEY')

  expect((await paste(script)).err).toContain('UNDERSTUDY_NO_KEY: set it first')
})
