import { useEffect, useRef, useState } from 'preact/hooks'
import type { RecordOf } from '../library.ts'
import type { Run } from '../overview/pipeline-facts.ts'
import { Button, Code, CopyButton, FilterField, Nothing, Section } from '../parts/index.ts'
import type { GraphBlock } from './lay-out.ts'

type LogFile = RecordOf<'logs'>

const errorLine = /\b(?:ERROR|CRITICAL|FATAL)\b|^(?:\w+\.)*\w*(?:Error|Exception|Undefined\w+)\b|\bfailed$/

function hasError({ content }: LogFile): boolean {
  return content.split('\n').some((line) => errorLine.test(line))
}

/** Returns the blocks with the status that each has in a run, where the log files of its blocks show it. */
export function blocksInRun(blocks: readonly GraphBlock[], files: readonly LogFile[]): readonly GraphBlock[] {
  const byBlock = new Map(files.map((file) => [file.block_uuid, file]))
  byBlock.delete(null)
  if (byBlock.size === 0) return blocks
  return blocks.map((block) => {
    const file = byBlock.get(block.uuid)
    if (file === undefined || /\bskipped$/m.test(file.content)) return { ...block, status: 'not_executed' }
    return { ...block, status: hasError(file) ? 'failed' : 'executed' }
  })
}

interface RunLogProps {
  readonly run: Run
  readonly files: readonly LogFile[]
  /** The last run that failed, which is shown where this one wrote nothing. */
  readonly instead: number | undefined
  /** True where a link leads to it. */
  readonly isAskedFor: boolean
}

/** The log files of a run; where it wrote nothing, those of the last that failed. The failing block is shown first. */
export function RunLog({ run, files, instead, isAskedFor }: RunLogProps) {
  const [picked, setPicked] = useState<number | undefined>(undefined)
  const [text, setText] = useState('')
  const [isFollowed, setFollowed] = useState(false)
  const place = useRef<HTMLElement>(null)
  const own = files.filter(({ pipeline_run_id: id }) => id === run.id)
  const shown = own.length > 0 ? own : files.filter(({ pipeline_run_id: id }) => id === instead)
  const withError = shown.find((each) => each.block_uuid !== null && hasError(each))
  const file = shown.find(({ id }) => id === picked) ?? withError ?? shown[0]
  const isThere = file !== undefined
  useEffect(() => {
    if (isAskedFor && isThere) place.current?.scrollIntoView({ block: 'center' })
  }, [isAskedFor, isThere])
  useEffect(() => {
    if (isFollowed) place.current?.querySelector('.log')?.scrollTo({ top: Number.MAX_SAFE_INTEGER })
  }, [isFollowed, file?.content])
  if (file === undefined) {
    return (
      <Section title="Log" place={place}>
        <Nothing>No log of run {run.id} yet.</Nothing>
      </Section>
    )
  }
  const lines = file.content.split('\n').filter((line) => line.toLowerCase().includes(text.toLowerCase()))
  const tools = (
    <>
      <FilterField label="Search the log" placeholder="search" value={text} write={setText} />
      <Button as="small" aria-pressed={isFollowed} onClick={() => setFollowed(!isFollowed)}>
        Follow
      </Button>
      <CopyButton text={() => file.content} what={file.name} as="small">
        Copy
      </CopyButton>
    </>
  )
  const note = own.length === 0 && `Run ${run.id} has no log yet; this is run ${instead}, the last to fail.`
  return (
    <Section title="Log" place={place} aside={tools} note={note}>
      <fieldset class="row wide scroll log-files" aria-label="Log files">
        {shown.map(({ id, name }) => (
          <button key={id} type="button" aria-pressed={id === file.id} onClick={() => setPicked(id)}>
            {name}
          </button>
        ))}
      </fieldset>
      <Code as="log">
        {lines.map((line, index) => (
          <span key={index} class={errorLine.test(line) ? 'fail' : ''}>
            {line}
            {'\n'}
          </span>
        ))}
      </Code>
    </Section>
  )
}
