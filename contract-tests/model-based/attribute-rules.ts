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

const furtherTypes = ['integration', 'pyspark', 'streaming'] as const

/** Returns the rules about each write, which may depend on the values that are sent. */
const writeRules: Partial<Record<OperationId, (sent: ReceivedRecord) => WriteRules>> = {
  createPipeline({ type: sentType }) {
    const ofType = furtherTypes
      .filter((type) => type === sentType)
      .map((type) => `pipeline-create/type-${type}` as const)
    return {
      accepted: ['pipeline-create/returns-pipeline', ...ofType],
      attributes: {
        name: ['pipeline-create/name', 'conventions/body-envelope'],
        type: ['pipeline-create/type', ...ofType],
        ...Object.fromEntries(newPipeline.map((name) => [name, [`pipeline-new/${kebab(name)}` as const]])),
      },
    }
  },
}

/** The hand-written rules that a write is evidence for. */
export function rulesAboutWrite(operation: OperationId, sent: ReceivedRecord): WriteRules {
  return writeRules[operation]?.(sent) ?? { accepted: [], attributes: {} }
}
