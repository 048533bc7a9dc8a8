import { expect, it as itInParts } from 'vitest'
import { thoroughly, wholly } from '../../tests/support/depth.ts'
import { exitCodeOf } from '../reports/report.ts'
import { checkTarget } from '../runner/check-target.ts'
import { isObject } from '../runner/is-object.ts'
import type { Incoming, Outgoing } from '../runner/transports/transport.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'

wholly(itInParts)(
  'ends with a reason where a target sends too many large replies, and deletes what it created',
  async () => {
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
  },
)

/** Enough for many large pages. */
const many = 100_000

/** Adds records of other users to two lists, before those of the understudy. */
async function withMany() {
  const correct = answering(createTarget({ auth: 'login' }))
  const headers = { 'X-API-KEY': 'contract-key', 'OAUTH-TOKEN': 'judge-active-token' }
  const body = JSON.stringify({ backfill: { name: 'theirs' } })
  await correct.answer({ method: 'POST', path: '/api/pipelines/standing/backfills', headers, body })
  const recordsIn = async (request: Outgoing): Promise<unknown[]> => {
    const [list] = Object.values(JSON.parse((await correct.answer(request)).text))
    return Array.isArray(list) ? list : []
  }
  const patternOf = async (plural: string) => {
    const [first] = await recordsIn({ method: 'GET', path: `/api/${plural}`, headers, body: undefined })
    if (!isObject(first)) throw new Error('The list is empty.')
    return first
  }
  const [pipeline, backfill] = [await patternOf('pipelines'), await patternOf('backfills')]
  const indexes = Array.from({ length: many }, (_, index) => index)
  const foreign = new Map<string, readonly object[]>([
    ['pipelines', indexes.map((index) => ({ ...pipeline, uuid: `theirs_${index}` }))],
    ['backfills', indexes.map((index) => ({ ...backfill, id: 1_000_000 + index }))],
  ])
  const texts = new Map([...foreign].map(([plural, list]) => [plural, JSON.stringify(list).slice(1, -1)]))
  const wholeLists: string[] = []
  const answer = async (request: Outgoing): Promise<Incoming> => {
    const reply = await correct.answer(request)
    const { pathname, searchParams } = new URL(request.path, 'http://x')
    const plural = pathname.replace('/api/', '')
    const others = request.method === 'GET' ? foreign.get(plural) : undefined
    if (others === undefined || searchParams.has('pipeline_uuid') || !(plural in JSON.parse(reply.text)))
      return reply
    const plain = new URLSearchParams([...searchParams].filter(([name]) => !/^_(limit|offset)$/.test(name)))
    const own = await recordsIn({ ...request, path: `${pathname}?${plain}` })
    const count = others.length + own.length
    const [limit, offset] = [searchParams.get('_limit'), Number(searchParams.get('_offset'))]
    if (limit === null) {
      wholeLists.push(request.path)
      const rest = own.map((record) => `,${JSON.stringify(record)}`).join('')
      const text = `{"${plural}":[${texts.get(plural)}${rest}],"metadata":{"count":${count},"next":false}}`
      return { ...reply, text }
    }
    const end = offset + Number(limit)
    const records = [...others, ...own].slice(offset, end)
    return { ...reply, text: JSON.stringify({ [plural]: records, metadata: { count, next: end < count } }) }
  }
  return { target: { answer }, wholeLists }
}

thoroughly(itInParts)(
  'verifies a target with many pipelines and backfills, and asks for each whole list once',
  async () => {
    const { target, wholeLists } = await withMany()
    const { findings } = await checkTarget({ ...builtIn, sequences: 0, target })
    const failed = findings.filter(({ verdict: { kind } }) => kind === 'failed' || kind === 'flaky')

    expect(failed).toEqual([])
    expect(exitCodeOf({ findings, strict: [], gone: [] })).toBe(0)
    expect(findings.filter(({ verdict }) => verdict.kind === 'passed').length).toBeGreaterThan(
      findings.length - 5,
    )
    expect(wholeLists.toSorted()).toEqual(['/api/backfills', '/api/pipelines'])
  },
)
