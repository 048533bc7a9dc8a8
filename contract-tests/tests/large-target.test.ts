import { expect, it } from 'vitest'
import { isThorough } from '../../tests/support/depth.ts'
import { exitCodeOf } from '../reports/report.ts'
import { checkTarget } from '../runner/check-target.ts'
import { isObject } from '../runner/is-object.ts'
import type { Incoming, Outgoing } from '../runner/transports/transport.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'

it('ends with a reason where a target sends too many large replies, and deletes what it created', async () => {
  const understudy = createTarget({ auth: 'login' })
  const correct = answering(understudy)
  const padding = 'x'.repeat(30_000_000)
  const result = await checkTarget({
    ...builtIn,
    target: {
      async answer(request) {
        const reply = await correct.answer(request)
        return { ...reply, text: reply.text.replace(/\}$/, `,"padding":"${padding}"}`) }
      },
    },
  })
  const { findings, milliseconds, leftBehind, requests } = result
  const reasons = new Set(
    findings.flatMap(({ verdict }) => (verdict.kind === 'blocked' ? [verdict.missing] : [])),
  )

  expect([...reasons]).toEqual([
    expect.stringMatching(
      /^The target sent more than 256 MB in replies larger than 1 MB, the last for (GET|POST) .*\. The run has ended\./,
    ),
  ])
  expect(exitCodeOf({ findings, strict: [], gone: [] })).toBe(2)
  expect(leftBehind.filter(({ kind }) => kind !== 'token')).toEqual([])
  expect(understudy.model.pipelines.count()).toBe(1)
  expect(requests).toBeLessThan(60)
  expect(milliseconds).toBeLessThan(30_000)
})

/** Enough for several large pages; the thorough tests add more. */
const many = isThorough ? 100_000 : 10_000

/** Adds records of other users to a list, before those of the understudy. */
async function withMany(plural: 'pipelines' | 'backfills') {
  const correct = answering(createTarget({ auth: 'login' }))
  const headers = { 'X-API-KEY': 'contract-key', 'OAUTH-TOKEN': 'judge-active-token' }
  const body = JSON.stringify({ backfill: { name: 'theirs' } })
  await correct.answer({ method: 'POST', path: '/api/pipelines/standing/backfills', headers, body })
  const listOf = async (request: Outgoing): Promise<unknown[]> => {
    const { text } = await correct.answer(request)
    const list: unknown = JSON.parse(text)[plural]
    return Array.isArray(list) ? list : []
  }
  const get = { method: 'GET', path: `/api/${plural}`, headers, body: undefined }
  const [first] = await listOf(get)
  if (!isObject(first)) throw new Error('The list is empty.')
  const theirs = Array.from({ length: many }, (_, index) =>
    plural === 'pipelines' ? { ...first, uuid: `theirs_${index}` } : { ...first, id: 1_000_000 + index },
  )
  const theirTexts = theirs.map((record) => JSON.stringify(record)).join()
  const wholeLists: string[] = []
  const answer = async (request: Outgoing): Promise<Incoming> => {
    const reply = await correct.answer(request)
    const { pathname, searchParams } = new URL(request.path, 'http://x')
    const isList = request.method === 'GET' && pathname === `/api/${plural}`
    if (!isList || searchParams.has('pipeline_uuid') || !(plural in JSON.parse(reply.text))) return reply
    const plain = new URLSearchParams([...searchParams].filter(([name]) => !/^_(limit|offset)$/.test(name)))
    const ours = await listOf({ ...request, path: `${pathname}?${plain}` })
    const count = theirs.length + ours.length
    const [limit, offset] = [searchParams.get('_limit'), Number(searchParams.get('_offset'))]
    if (limit === null) {
      wholeLists.push(request.path)
      const rest = ours.map((record) => `,${JSON.stringify(record)}`).join('')
      return {
        ...reply,
        text: `{"${plural}":[${theirTexts}${rest}],"metadata":{"count":${count},"next":false}}`,
      }
    }
    const end = offset + Number(limit)
    const records = [...theirs, ...ours].slice(offset, end)
    const text = JSON.stringify({ [plural]: records, metadata: { count, next: end < count } })
    return { ...reply, text }
  }
  return { target: { answer }, wholeLists }
}

it.each(['pipelines', 'backfills'] as const)(
  'verifies a target with many %s, and asks for their whole list once',
  async (plural) => {
    const { target, wholeLists } = await withMany(plural)
    const { findings } = await checkTarget({ ...builtIn, sequences: 0, target })
    const failed = findings.filter(({ verdict: { kind } }) => kind === 'failed' || kind === 'flaky')

    expect(failed).toEqual([])
    expect(exitCodeOf({ findings, strict: [], gone: [] })).toBe(0)
    expect(findings.filter(({ verdict }) => verdict.kind === 'passed').length).toBeGreaterThan(
      findings.length - 5,
    )
    expect(wholeLists).toEqual([`/api/${plural}`])
  },
)
