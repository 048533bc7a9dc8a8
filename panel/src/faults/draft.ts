import { type EffectName, effects } from './fault-words.ts'

export const frequencies = {
  next: { words: 'The next', conditions: { times: 1 } },
  three: { words: 'The next three', conditions: { times: 3 } },
  every: { words: 'Every', conditions: {} },
  third: { words: 'Every third', conditions: { every: 3 } },
  tenth: { words: 'One in ten', conditions: { probability: 0.1 } },
} as const

type Frequency = keyof typeof frequencies

export interface Draft {
  readonly often: Frequency
  /** The operation or the method that the fault matches; empty for any request. */
  readonly operation: string
  /** The resource and the key of the only record whose path it matches; empty for any. */
  readonly plural: string
  readonly key: string
  readonly effect: EffectName
  readonly code: string
  readonly type: string
  readonly message: string
  readonly duration: string
  /** True if the operation runs although the reply is an error. */
  readonly runs: boolean
}

export const firstDraft: Draft = {
  often: 'next',
  operation: 'createPipeline',
  plural: '',
  key: '',
  effect: 'error',
  code: '500',
  type: 'disk_full',
  message: 'No space left on device.',
  duration: '2s',
  runs: false,
}

/** Methods that a fault can match, whatever the operation. */
export const methods: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE']

/** Returns whether the operation can still run although the fault replaces its reply. */
export function mayRun({ effect }: Draft): boolean {
  return effects[effect].isInstead
}

export function faultOf(draft: Draft): object {
  const { often, operation, plural, key, effect, code, type, message, duration, runs } = draft
  const values = {
    error: { code: Number(code), ...(type !== '' && { type }), ...(message !== '' && { message }) },
    status: Number(code),
    nothing: true,
    duration,
  } as const
  return {
    ...(operation !== '' && { [methods.includes(operation) ? 'method' : 'operation']: operation }),
    ...(plural !== '' && key !== '' && { record: { [plural]: /^\d+$/.test(key) ? Number(key) : key } }),
    ...frequencies[often].conditions,
    [effect]: values[effects[effect].input],
    ...(runs && mayRun(draft) && { runs }),
  }
}

/** Example sentences: each fills in the form, which shows how the form works. */
export const readyDrafts: readonly { readonly title: string; readonly draft: Partial<Draft> }[] = [
  { title: 'Fail the next create', draft: {} },
  {
    title: 'Fail the next delete',
    draft: { operation: 'DELETE', type: 'internal_error', message: 'It could not be deleted.' },
  },
  { title: 'Slow first byte', draft: { often: 'every', operation: '', effect: 'slowHeaders' } },
  { title: 'Proxy error page', draft: { often: 'third', operation: '', effect: 'badGateway' } },
  { title: 'Truncated JSON', draft: { operation: 'listPipelines', effect: 'truncate' } },
  { title: 'No reply', draft: { operation: '', effect: 'hang' } },
  { title: 'Dropped connection', draft: { operation: '', effect: 'drop' } },
  { title: 'Connection reset', draft: { operation: 'listPipelines', effect: 'reset' } },
  {
    title: 'Error after a successful write',
    draft: { type: '', message: 'Internal error.', runs: true },
  },
  {
    title: 'Slow body',
    draft: { often: 'every', operation: 'listPipelines', effect: 'slowBody', duration: '5s' },
  },
  { title: 'Down for maintenance', draft: { often: 'every', operation: '', effect: 'status', code: '503' } },
  {
    title: 'Random errors',
    draft: { often: 'tenth', operation: '', type: 'internal_error', message: 'Try again.' },
  },
]
