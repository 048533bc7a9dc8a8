import { expect, it } from 'vitest'
import { readLink } from '../panel/demo/link.ts'
import { createUnderstudy } from '../src/index.ts'
import { scenarios } from '../src/scenarios/index.ts'
import { pack } from './support/pack.ts'

/** Opens a link of the demo like its page, and returns the message of a refused link. */
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
  ['an unknown scenario', '#scenario=slwo', /There is no scenario "slwo"; /],
  ['a name with broken percent-encoding', '#scenario=%E0%A4%A', /is not percent-encoded correctly/],
  [
    'half a link',
    `#state=${pack({ description: 'all', fixture: {} }).slice(0, 20)}`,
    /it is incomplete or was changed/,
  ],
  ['other characters', '#state=<script>', /it contains characters other than letters, digits, - and _/],
  ['a list', `#state=${pack([])}`, /its content is not a state/],
  [
    'an invalid record',
    `#state=${pack({ description: 'x', fixture: { pipelines: [{ uuid: 7 }] } })}`,
    /is broken at \$\.fixture\.pipelines\[0\]/,
  ],
  [
    'an unknown part',
    `#state=${pack({ description: 'x', code: 'alert(1)' })}`,
    /code: expected one of the keys description, .*; found an unknown key/,
  ],
  ['too many characters', `#state=${'A'.repeat(100_001)}`, /100001 characters long, more than 100000/],
  [
    'too many records',
    `#state=${pack({ description: 'x', fixture: { pipelines: Array(10_001).fill({}) } })}`,
    /it has 10001 records, more than 10000/,
  ],
  [
    'a clock that runs too fast',
    `#state=${pack({ description: 'x', clock: { run: 1e9 } })}`,
    /its clock runs 1000000000 times as fast, more than 3600/,
  ],
  [
    'a large state in few bytes',
    `#state=${pack('x'.repeat(60_000_000))}`,
    /its state has more than 4000000 bytes/,
  ],
])('refuses a link of the demo with %s', async (_, hash, sentence) => {
  expect(await refusalOf(hash)).toMatch(sentence)
})

it('opens no other hash', async () => {
  expect(await readLink('#/requests')).toBeUndefined()
})
