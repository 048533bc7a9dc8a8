import type { OperationId, RuleId } from '../rules/index.ts'
import { kebab } from '../rules/kebab.ts'
import type { ReceivedRecord } from '../runner/replies.ts'

/** The hand-written rules that a write is evidence for. */
interface WriteRules {
  /** Fail where the request is refused. */
  readonly accepted: readonly RuleId[]
  /** Fail where an attribute of the reply differs. */
  readonly attributes: Readonly<Record<string, readonly RuleId[]>>
}

const newPipeline = [
  'description', 'data_integration', 'executor_config', 'executor_count', 'executor_type', 'notification_config',
  'spark_config', 'updated_at', 'blocks', 'callbacks', 'conditionals', 'widgets',
] as const // biome-ignore format: one list

const newBackfill = ['start_datetime', 'end_datetime', 'interval_type', 'interval_units', 'status'] as const
const newTimes = ['started_at', 'completed_at', 'failed_at'] as const
const updatable = [
  'name',
  'start_datetime',
  'end_datetime',
  'interval_type',
  'interval_units',
  'variables',
] as const
const statuses = ['initial', 'running', 'completed', 'failed', 'cancelled'] as const

const furtherTypes = ['integration', 'pyspark', 'streaming'] as const

/** Returns the rules about each write, which may depend on the values that are sent. */
const writeRules: Partial<Record<OperationId, (sent: ReceivedRecord) => WriteRules>> = {
  createPipeline({ name, type: sentType }) {
    const ofType = furtherTypes
      .filter((type) => type === sentType)
      .map((type) => `pipeline-create/type-${type}` as const)
    return {
      accepted: ['pipeline-create/returns-pipeline', ...ofType],
      attributes: {
        name: ['pipeline-create/name', 'conventions/body-envelope'],
        type: ['pipeline-create/type', ...ofType],
        uuid: [String(name).includes('-') ? 'pipeline-new/uuid-hyphens' : 'pipeline-new/uuid-from-name'],
        ...Object.fromEntries(newPipeline.map((name) => [name, [`pipeline-new/${kebab(name)}` as const]])),
      },
    }
  },
  createBlock(sent) {
    // Other types may need software that a target lacks, whatever the language.
    const isBasic = sent.type === 'data_loader' || sent.type === 'markdown'
    const ofLanguage =
      isBasic && Object.hasOwn(sent, 'language') ? (['block-create/all-languages'] as const) : []
    return {
      accepted: ['block-create/all-types', ...ofLanguage],
      attributes: {
        name: ['block-create/name'],
        type: ['block-create/type', 'block-create/all-types'],
        content: [(sent.content ?? '') === '' ? 'block-create/empty-content' : 'block-create/content'],
        ...ifSent(sent, {
          language: ['block-create/language', 'block-create/all-languages'],
          config: ['block-create/config'],
          configuration: ['block-create/configuration'],
          priority: ['block-create/priority'],
          upstream_blocks: ['block-create/upstream'],
        }),
      },
    }
  },
  createBackfill: () => ({
    accepted: ['backfill-create/returns-backfill'],
    attributes: {
      name: ['backfill-create/name'],
      pipeline_uuid: ['backfill-create/pipeline'],
      ...Object.fromEntries(
        newBackfill.map((name) => [name, [`backfill-create/null-${kebab(name)}` as const]]),
      ),
      ...Object.fromEntries(newTimes.map((name) => [name, [`backfill-states/new-${kebab(name)}` as const]])),
    },
  }),
  updateBackfill(sent) {
    const status = statuses.find((each) => each === sent.status)
    const isInterval = typeof sent.interval_type === 'string'
    // Null leaves an attribute to the target.
    const values = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null))
    const attributes = updatable.map((name): [string, readonly RuleId[]] => {
      if (status !== undefined) return [name, ['backfill-states/others-updated']]
      if (name === 'start_datetime')
        return [name, ['backfill-update/start-datetime', 'timestamps/backfill-request']]
      if (name === 'interval_type')
        return [name, ['backfill-update/interval-type', 'backfill-update/all-intervals']]
      return [name, [`backfill-update/${kebab(name)}`]]
    })
    return {
      accepted: [
        status === undefined ? 'backfill-update/returns-backfill' : (`backfill-states/${status}` as const),
        ...(isInterval && status === undefined ? (['backfill-update/all-intervals'] as const) : []),
      ],
      attributes: ifSent(values, Object.fromEntries(attributes)),
    }
  },
  triggerPipeline(sent) {
    const isNested = Object.values(sent).some((value) => typeof value === 'object' && value !== null)
    const isEmpty = Object.keys(sent).length === 0
    return {
      accepted: ['trigger/returns-run'],
      attributes: {
        status: ['trigger/running', 'backfill-states/run-running'],
        event_variables: [
          'trigger/event-variables',
          'backfill-states/run-variables',
          ...(isNested ? (['trigger/nested-variables'] as const) : []),
          ...(isEmpty ? (['trigger/empty-body'] as const) : []),
        ],
        pipeline_schedule_id: ['trigger/schedule'],
        pipeline_uuid: ['trigger/pipeline'],
        variables: ['trigger/variables'],
        completed_at: ['trigger/not-completed'],
      },
    }
  },
}

/** The rules about those attributes that were sent. */
function ifSent(sent: ReceivedRecord, rules: WriteRules['attributes']): WriteRules['attributes'] {
  return Object.fromEntries(Object.entries(rules).filter(([attribute]) => Object.hasOwn(sent, attribute)))
}

/** The hand-written rules that a write is evidence for. */
export function rulesAboutWrite(operation: OperationId, sent: ReceivedRecord): WriteRules {
  return writeRules[operation]?.(sent) ?? { accepted: [], attributes: {} }
}
