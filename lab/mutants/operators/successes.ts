import { facts, type Operator, sentence } from '../mutant.ts'
import { always200, isList, isSingle, singular, strikes } from './reply-strikes.ts'

/** What goes wrong with the envelopes of successes. */
export const successOperators: readonly Operator[] = [
  {
    name: 'success-as-http-201',
    does: 'gives a success HTTP 201',
    strikes: strikes('successes', always200, () => ({ status: 201 })),
  },
  {
    name: 'success-as-http-202',
    does: 'gives a success HTTP 202',
    strikes: strikes('successes', always200, () => ({ status: 202 }), isSingle),
  },
  {
    name: 'success-as-http-204',
    does: 'gives a success HTTP 204 without a body',
    strikes: strikes('successes', always200, () => ({ status: 204 }), isSingle),
  },
  {
    name: 'success-with-error',
    does: 'puts an empty error beside a success',
    strikes: strikes('successes', always200, ({ body }) => ({ body: { ...body, error: {} } })),
  },
  {
    name: 'record-unwrapped',
    does: 'gives a record without its envelope',
    strikes: strikes(
      'successes',
      singular,
      ({ body }, { operation }) => (operation ? { body: body[facts(operation).singular] } : undefined),
      isSingle,
    ),
  },
  {
    name: 'record-under-plural',
    does: 'nests a record under the plural',
    strikes: strikes(
      'successes',
      singular,
      ({ body }, { operation }) =>
        operation ? { body: { [facts(operation).plural]: body[facts(operation).singular] } } : undefined,
      isSingle,
    ),
  },
  {
    name: 'record-in-list',
    does: 'gives a record as a list of one',
    strikes: strikes(
      'successes',
      singular,
      ({ body }, { operation }) =>
        operation ? { body: { [facts(operation).singular]: [body[facts(operation).singular]] } } : undefined,
      isSingle,
    ),
  },
  {
    name: 'record-under-data',
    does: 'nests a record under data',
    strikes: strikes('successes', singular, ({ body }) => ({ body: { data: body } }), isSingle),
  },
  {
    name: 'list-under-items',
    does: 'nests a list under items',
    strikes: strikes(
      'successes',
      () => sentence('What the service does', 'carries a list nests it'),
      ({ body }, { operation }) =>
        operation ? { body: { items: body[facts(operation).plural], metadata: body.metadata } } : undefined,
      isList,
    ),
  },
  {
    name: 'list-unwrapped',
    does: 'gives a list without its envelope',
    strikes: strikes(
      'successes',
      () => sentence('What the service does', 'carries a list nests it'),
      ({ body }, { operation }) => (operation ? { body: body[facts(operation).plural] } : undefined),
      isList,
    ),
  },
  {
    name: 'list-by-key',
    does: 'gives a list as an object by index',
    strikes: strikes(
      'successes',
      () => sentence('What the service does', 'carries a list nests it'),
      ({ body }, { operation }) =>
        operation
          ? {
              body: {
                ...body,
                [facts(operation).plural]: {
                  ...(Array.isArray(body[facts(operation).plural])
                    ? Object.fromEntries(Object.entries(body[facts(operation).plural] ?? {}))
                    : {}),
                },
              },
            }
          : undefined,
      isList,
    ),
  },
  {
    name: 'json-in-text',
    does: 'gives JSON in a JSON string',
    strikes: strikes(
      'successes',
      () => sentence('What the service does', 'through a JSON HTTP API'),
      ({ body }) => ({ body: JSON.stringify(JSON.stringify(body)) }),
    ),
  },
  {
    name: 'not-json',
    does: 'gives what no JSON parser reads',
    strikes: strikes(
      'successes',
      () => sentence('What the service does', 'through a JSON HTTP API'),
      ({ body }) => ({ body: `)]}',\n${JSON.stringify(body)}` }),
    ),
  },
]
