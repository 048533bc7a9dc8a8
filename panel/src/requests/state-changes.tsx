import { useState } from 'preact/hooks'
import { Button, Nothing, Section, Select } from '../parts/index.ts'
import { nameRecord } from '../records/select.ts'
import { changesByResource } from '../store/difference.ts'
import { usePanel } from '../store/panel.ts'
import type { AnyRecord } from '../store/table.ts'
import { useSnapshots } from '../store/use-query.ts'
import { RecordDiff } from './diff.tsx'
import type { RecordChange } from './record-changes.ts'

/** The start of the world among the names of snapshots, none of which is empty. */
const start = ''
const mostShown = 200

interface Comparison {
  readonly from: string
  readonly changes: readonly RecordChange[]
}

/** The difference between the start or a snapshot and the present state. */
export function StateChanges() {
  const { live, runner, dialog } = usePanel()
  const snapshots = useSnapshots()
  const [from, setFrom] = useState(start)
  const [shown, setShown] = useState<Comparison | undefined>(undefined)
  const compare = async () => {
    const difference = await (from === start ? live.of.diff() : live.of.diff(from))
    const resources = changesByResource(difference, live.resources.value)
    const changes = resources.flatMap(({ description, created, updated, deleted }): RecordChange[] => {
      const change = (kind: RecordChange['kind'], record: AnyRecord, changes: object = {}): RecordChange => ({
        plural: description.plural,
        key: nameRecord(description, record).key,
        kind,
        attributes: Object.entries(changes).map(([name, { from: old, to: next }]) => ({ name, old, next })),
      })
      return [
        ...created.map((record) => change('added', record)),
        ...deleted.map((record) => change('removed', record)),
        ...updated.map(({ record, changes }) => change('changed', record, changes)),
      ]
    })
    setShown({ from, changes })
  }
  const aside = (
    <>
      <Select
        as="button small"
        label="Compare with"
        value={from}
        options={[[start, 'the start'], ...snapshots]}
        choose={setFrom}
      />
      <Button as="small" onClick={() => runner.attempt(compare)}>
        Compare
      </Button>
    </>
  )
  return (
    <Section title="State changes" aside={aside}>
      {shown === undefined && (
        <Nothing>
          What differs from the start or from a snapshot.{' '}
          <button type="button" class="link" onClick={() => (dialog.value = 'worlds')}>
            Save a snapshot
          </button>
        </Nothing>
      )}
      {shown?.changes.length === 0 && <Nothing>No record differs.</Nothing>}
      {shown?.changes.slice(0, mostShown).map((record) => (
        <RecordDiff key={`${record.plural}/${record.key}`} record={record} isNamed />
      ))}
      {shown !== undefined && shown.changes.length > mostShown && (
        <p class="lesser">and {shown.changes.length - mostShown} records more</p>
      )}
    </Section>
  )
}
