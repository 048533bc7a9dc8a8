import { useLayoutEffect } from 'preact/hooks'
import type { Counts, PagedRecords } from '../../../src/factories/collection-types.ts'
import type { AnyRecord } from './any-table.ts'
import { usePanel } from './panel.ts'
import type { Question } from './questions.ts'

/** Which records are meant, as the panel says it. */
export interface MeantRows {
  readonly where?: object | undefined
  readonly search?: string | undefined
  readonly orderBy?: Readonly<Record<string, 'asc' | 'desc'>> | undefined
  readonly reverse?: boolean | undefined
}

/** A part of the records; `undefined` until it is there. It is asked for again when the table has changed. */
export function usePage(
  plural: string,
  options: MeantRows & { readonly offset?: number; readonly limit?: number },
): PagedRecords<AnyRecord> | undefined {
  return useAnswer(plural, { kind: 'page', options }) as PagedRecords<AnyRecord> | undefined
}

/** How the values of an attribute are spread over the records. */
export function useSpread(
  plural: string,
  attribute: string,
  options: MeantRows & { readonly parts: number },
): readonly Counts[] | undefined {
  return useAnswer(plural, { kind: 'spread', attribute, options }) as readonly Counts[] | undefined
}

/** The newest records of each value of an attribute. */
export function useNewest(
  plural: string,
  attribute: string,
  options: { readonly where?: object; readonly limit: number },
): Readonly<Record<string, readonly AnyRecord[]>> | undefined {
  return useAnswer(plural, { kind: 'newest', attribute, options }) as never
}

function useAnswer(plural: string, question: Question): unknown {
  const { live } = usePanel()
  // Before anything is painted: the server is asked a frame earlier.
  useLayoutEffect(() => live.watch(plural, question), [live, plural, JSON.stringify(question)])
  return live.questions.answer(plural, question).value
}
