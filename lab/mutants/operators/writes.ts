import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { fittingGuards } from '../guards.ts'
import {
  asked,
  facts,
  mapRecords,
  type Operator,
  refusal,
  type Strike,
  sentence,
  sentRecord,
  without,
} from '../mutant.ts'
import { isErrorReply } from '../wrong-server.ts'
import {
  acceptsUnlisted,
  byValue,
  changed,
  isOptional,
  listed,
  mangled,
  sendInstead,
  shownElsewhere,
  strikes,
  written,
} from './write-strikes.ts'

/** What goes wrong with what requests write. */
export const writeOperators: readonly Operator[] = [
  {
    name: 'echo-only',
    does: 'shows in its reply what it does not store',
    strikes: strikes(
      (_, name, holds) => () => async (heard, ask) => {
        if (!holds(heard)) return ask()
        const sent = sentRecord(heard)
        return sendInstead(heard, ask, without(sent, name), (shown) =>
          name in shown ? { ...shown, [name]: sent[name] } : shown,
        )
      },
      isOptional,
    ),
  },
  {
    name: 'not-stored',
    does: 'ignores an attribute that was sent',
    strikes: [
      ...strikes(
        (_, name, holds) => () => (heard, ask) =>
          holds(heard) ? sendInstead(heard, ask, without(sentRecord(heard), name)) : ask(),
        isOptional,
      ),
      ...shownElsewhere
        .filter((name) => name === 'color')
        .map(
          (name): Strike => ({
            operation: 'createBlock',
            aspect: name,
            sentence: written('createBlock', name),
            guards: fittingGuards(facts('createBlock'), name, ['request']),
            wrong: (holds) => () => (heard, ask) =>
              heard.operation === 'createBlock' && name in sentRecord(heard) && holds(asked(heard, name))
                ? sendInstead(heard, ask, without(sentRecord(heard), name))
                : ask(),
          }),
        ),
    ],
  },
  {
    name: 'stored-not-shown',
    does: 'stores an attribute and shows the value before in its reply',
    strikes: strikes(
      (operation, name, holds) => () => {
        const before = new Map<unknown, Json>()
        return async (heard, ask) => {
          const reply = await ask()
          if (!isObject(reply.body) || isErrorReply(reply) || heard.operation === undefined) return reply
          const old = before.get(heard.parameters.backfill_id)
          const record = reply.body.backfill
          if (isObject(record)) before.set(String(record.id), record)
          if (heard.operation !== operation || !old || !holds(heard)) return reply
          return {
            ...reply,
            body: mapRecords(reply.body, heard, (shown) => ({ ...shown, [name]: old[name] })),
          }
        }
      },
      (operation) => operation === 'updateBackfill',
    ),
  },
  {
    name: 'stored-otherwise',
    does: 'stores a value near the one that was sent, and shows that one',
    strikes: strikes(
      (_, name, holds) => () => async (heard, ask) => {
        if (!holds(heard)) return ask()
        const sent = sentRecord(heard)
        return sendInstead(heard, ask, { ...sent, [name]: changed[name]?.(sent[name]) ?? sent[name] })
      },
      (_, name) => name in changed,
    ),
  },
  {
    name: 'echoed-stored-otherwise',
    does: 'shows what was sent, and stores a value near it',
    strikes: strikes(
      (_, name, holds) => () => async (heard, ask) => {
        if (!holds(heard)) return ask()
        const sent = sentRecord(heard)
        const near = changed[name]?.(sent[name]) ?? sent[name]
        return sendInstead(heard, ask, { ...sent, [name]: near }, (shown) => ({
          ...shown,
          [name]: sent[name],
        }))
      },
      (operation, name) =>
        name in changed &&
        !(operation === 'createPipeline' && name === 'name') &&
        !(operation === 'createBlock' && name === 'name'),
    ),
  },
  ...Object.entries(mangled).map(
    ([kind, { on, change }]): Operator => ({
      name: `mangles-${kind}`,
      does: `changes what it stores: ${kind.replaceAll('-', ' ')}`,
      strikes: strikes(
        (_, name, holds) => () => (heard, ask) => {
          if (!holds(heard)) return ask()
          const sent = sentRecord(heard)
          return sendInstead(heard, ask, { ...sent, [name]: change(sent[name]) })
        },
        (_, name) => on.includes(name),
      ),
    }),
  ),
  {
    name: 'refuses-listed-value',
    does: 'refuses a value that the document lists',
    strikes: byValue(
      (_, name, value, holds) => () => (heard, ask) =>
        holds(heard) ? refusal(`${name}: ${value} is not supported.`) : ask(),
    ),
  },
  {
    name: 'listed-value-replaced',
    does: 'stores another listed value',
    strikes: byValue((operation, name, value, holds) => () => (heard, ask) => {
      const values = listed.find((row) => row.operation === operation && row.name === name)?.values ?? []
      const other = values[(values.indexOf(value) + 1) % values.length]
      return holds(heard) ? sendInstead(heard, ask, { ...sentRecord(heard), [name]: other }) : ask()
    }),
  },
  {
    name: 'accepts-other-case',
    does: 'takes a listed value in other letters',
    strikes: acceptsUnlisted((value) => value.toLowerCase()),
  },
  {
    name: 'accepts-edged',
    does: 'takes a listed value with blanks around it',
    strikes: acceptsUnlisted((value) => value.trim()),
  },
  {
    name: 'required-optional',
    does: 'makes up what is required and was not sent',
    strikes: (['createPipeline', 'createBlock'] as const).flatMap((operation) =>
      facts(operation)
        .writes.filter(({ isRequired }) => isRequired)
        .map(
          ({ name }): Strike => ({
            operation,
            aspect: name,
            sentence: written(operation, name),
            guards: fittingGuards(facts(operation), undefined, ['request']),
            wrong: (holds) => () => (heard, ask) => {
              const sent = sentRecord(heard)
              const isMissing =
                heard.operation === operation &&
                (sent[name] === undefined || sent[name] === null || sent[name] === '')
              if (!isMissing || !holds(asked(heard))) return ask()
              const types = { createPipeline: 'python', createBlock: 'custom' } as const
              const madeUp = name === 'type' ? types[operation] : `untitled ${heard.nth}`
              return sendInstead(heard, ask, { ...sent, [name]: madeUp })
            },
          }),
        ),
    ),
  },
  {
    name: 'others-reset',
    does: 'sets what was not sent to null',
    strikes: (
      ['start_datetime', 'end_datetime', 'interval_type', 'interval_units', 'variables'] as const
    ).map((name) => ({
      operation: 'updateBackfill' as const,
      aspect: name,
      sentence: sentence('Update backfill', 'with the updated values'),
      guards: fittingGuards(facts('updateBackfill'), undefined, ['request']),
      wrong: (holds) => () => (heard, ask) => {
        const sent = sentRecord(heard)
        const resets = heard.operation === 'updateBackfill' && !(name in sent) && holds(asked(heard))
        return resets ? sendInstead(heard, ask, { ...sent, [name]: null }) : ask()
      },
    })),
  },
  {
    name: 'status-alone',
    does: 'updates the status and nothing that was sent with it',
    strikes: (
      ['name', 'start_datetime', 'end_datetime', 'interval_type', 'interval_units', 'variables'] as const
    ).map((name) => ({
      operation: 'updateBackfill' as const,
      aspect: name,
      sentence: sentence('States and transitions', 'other supplied attributes are updated too'),
      guards: fittingGuards(facts('updateBackfill'), name, ['request']).filter(
        (guard) => guard.name !== 'only-when-sent-alone',
      ),
      wrong: (holds) => () => (heard, ask) => {
        const sent = sentRecord(heard)
        const isBoth =
          heard.operation === 'updateBackfill' &&
          'status' in sent &&
          name in sent &&
          holds(asked(heard, name))
        return isBoth ? sendInstead(heard, ask, without(sent, name)) : ask()
      },
    })),
  },
  {
    name: 'members-merged',
    does: 'adds the sent variables to those before instead of putting them in their place',
    strikes: [
      {
        operation: 'updateBackfill',
        aspect: 'variables',
        sentence: sentence('Update backfill', 'with the updated values'),
        guards: fittingGuards(facts('updateBackfill'), 'variables', ['request']),
        wrong: (holds) => () => {
          const before = new Map<unknown, Json>()
          return async (heard, ask) => {
            const { variables, ...sent } = sentRecord(heard)
            const id = heard.parameters.backfill_id
            if (heard.operation !== 'updateBackfill' || !isObject(variables)) return ask()
            const merged = holds(asked(heard, 'variables')) ? { ...before.get(id), ...variables } : variables
            before.set(id, merged)
            return sendInstead(heard, ask, { ...sent, variables: merged })
          }
        },
      },
    ],
  },
]
