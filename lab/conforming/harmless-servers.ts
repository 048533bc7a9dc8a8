import { onBody, sets } from '../../contract-tests/mutants/changes.ts'
import type { BrokenServer, ParsedReply } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { deep, isRecord, verbatim } from './variant.ts'

let counted = 1
/** One of three, often the one before. */
function nextCount(): number {
  counted = (counted * 48_271) % 2_147_483_647
  return counted % 3
}

/** Servers that differ from the understudy where the document leaves it open: they must raise nothing. */
export const harmlessServers: readonly Omit<BrokenServer, 'breaks'>[] = [
  {
    name: 'extra-fields',
    reply: ({ body }) => ({
      body: deep(body, (record) => (isRecord(record) ? { ...record, undocumented: { by: 'us' } } : record)),
    }),
  },
  {
    name: 'other-key-order',
    reply: ({ body }) => ({
      body: deep(
        body,
        (record) => Object.fromEntries(Object.entries(record).reverse()),
        verbatim.filter((name) => !['error', 'settings', 'metrics'].includes(name)),
      ),
    }),
  },
  {
    name: 'arbitrary-count',
    reply: ({ body }) => ({
      body:
        isObject(body) && isObject(body.metadata) && 'count' in body.metadata
          ? { ...body, metadata: { ...body.metadata, count: 4_711 } }
          : body,
    }),
  },
  {
    name: 'count-that-is-another-now-and-then',
    reply: ({ body }) => ({
      body:
        isObject(body) && isObject(body.metadata) && 'count' in body.metadata
          ? { ...body, metadata: { ...body.metadata, count: nextCount() } }
          : body,
    }),
  },
  {
    name: 'other-error-wording',
    reply: ({ body }: ParsedReply) => ({
      body:
        isObject(body) && isObject(body.error)
          ? {
              ...body,
              error: {
                ...body.error,
                message: 'The login name or the password is invalid, or something else is.',
              },
            }
          : body,
    }),
  },
  {
    name: 'null-metadata',
    reply: ({ body }) => ({
      body:
        isObject(body) && !('metadata' in body) && !('error' in body) ? { ...body, metadata: null } : body,
    }),
  },
  {
    name: 'extra-list-metadata',
    reply: ({ body }) => ({
      body:
        isObject(body) && isObject(body.metadata) && 'count' in body.metadata
          ? { ...body, metadata: { ...body.metadata, results: 3 } }
          : body,
    }),
  },
  { name: 'extensions-when-created', reply: sets('createPipeline', { extensions: {} }) },
  {
    name: 'other-list-order',
    reply: onBody('listPipelines', (body) => ({
      ...body,
      pipelines: [...(body.pipelines as object[])].reverse(),
    })),
  },
]
