import { expect, it } from 'vitest'
import { readLink } from '../panel/demo/link.ts'
import { createUnderstudy } from '../src/index.ts'
import { scenarios } from '../src/scenarios/index.ts'
import { pack } from './support/pack.ts'

/** Opens a link of the demo as its page does, and returns what the page shows where it cannot. */
async function refusalOf(hash: string): Promise<string> {
  const understudy = createUnderstudy({ scenarios })
  try {
    const linked = (await readLink(hash))!
    await understudy.scenarios.start('name' in linked ? linked.name : linked.scenario)
    return 'nothing'
  } catch (error) {
    return (error as Error).message
  }
}

it.each([
  ['a scenario that there is not', '#scenario=slwo', /There is no scenario "slwo"; /],
  ['a name that no address has', '#scenario=%E0%A4%A', /is not written as an address writes it/],
  [
    'half a link',
    `#state=${pack({ description: 'all', fixture: {} }).slice(0, 20)}`,
    /it is cut, or was changed/,
  ],
  ['what no link has', '#state=<script>', /it has characters that no such link has/],
  ['a list', `#state=${pack([])}`, /what it carries is no state/],
  [
    'records that are none',
    `#state=${pack({ description: 'x', fixture: { pipelines: [{ uuid: 7 }] } })}`,
    /is broken at \$\.fixture\.pipelines\[0\]/,
  ],
  ['a part that is none', `#state=${pack({ description: 'x', code: 'alert(1)' })}`, /code: expected one of/],
  ['more than a link may be', `#state=${'A'.repeat(100_001)}`, /100001 characters long, more than 100000/],
  [
    'more records than a page can show',
    `#state=${pack({ description: 'x', fixture: { pipelines: Array(10_001).fill({}) } })}`,
    /it has 10001 records, more than 10000/,
  ],
  [
    'a clock that runs ages in a second',
    `#state=${pack({ description: 'x', clock: { run: 1e9 } })}`,
    /its clock runs 1000000000 times as fast, more than 3600/,
  ],
  [
    'few bytes that become many',
    `#state=${pack('x'.repeat(60_000_000))}`,
    /it becomes more than 4000000 bytes/,
  ],
])('refuses a link of the demo with %s', async (_, hash, sentence) => {
  expect(await refusalOf(hash)).toMatch(sentence)
})

it('opens no other hash', async () => {
  expect(await readLink('#/requests')).toBeUndefined()
})
