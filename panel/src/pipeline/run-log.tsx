import { useEffect, useRef, useState } from 'preact/hooks'
import type { RecordOf } from '../library.ts'
import type { Run } from '../overview/pipeline-facts.ts'
import {
  Button,
  Code,
  CopyButton,
  FilterField,
  Nothing,
  type Option,
  Section,
  Toggles,
} from '../parts/index.ts'
import type { GraphBlock } from './lay-out.ts'

export type LogFile = RecordOf<'logs'>

const errorLine = /\b(?:ERROR|CRITICAL|FATAL)\b|^(?:\w+\.)*\w*(?:Error|Exception|Undefined\w+)\b|\bfailed$/

function hasError({ content }: LogFile): boolean {
  return content.split('\n').some((line) => errorLine.test(line))
}

/** Returns the blocks with their status in a run, if the log files of the run show it. */
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
  /** True if a link leads to it. */
  readonly isLinked: boolean
}

export function RunLog({ run, files, isLinked }: RunLogProps) {
  const [picked, setPicked] = useState<string | undefined>(undefined)
  const [text, setText] = useState('')
  const [isFollowed, setFollowed] = useState(false)
  const place = useRef<HTMLElement>(null)
  const withError = files.find((each) => each.block_uuid !== null && hasError(each))
  const file = files.find(({ id }) => String(id) === picked) ?? withError ?? files[0]
  const isThere = file !== undefined
  useEffect(() => {
    if (isLinked && isThere) place.current?.scrollIntoView({ block: 'center' })
  }, [isLinked, isThere])
  useEffect(() => {
    if (isFollowed) place.current?.querySelector('.code')?.scrollTo({ top: Number.MAX_SAFE_INTEGER })
  }, [isFollowed, file?.content])
  // The chosen file may be far to the right among the others.
  useEffect(() => {
    const chosen = place.current?.querySelector<HTMLElement>('.files [aria-pressed="true"]')
    chosen?.parentElement?.parentElement?.scrollTo({ left: chosen.offsetLeft })
  }, [file?.id])
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
  return (
    <Section title="Log" place={place} aside={tools}>
      <div class="scroll files">
        <Toggles
          label="Log files"
          options={files.map(({ id, name }): Option => [String(id), name])}
          isOn={(id) => id === String(file.id)}
          choose={setPicked}
          as="small"
        />
      </div>
      <Code>
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
