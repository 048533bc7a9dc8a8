import { Dialog, Terms } from '../parts/index.ts'

const shortcuts = [
  ['Ctrl K', 'Find a record, run a command, go to a time'],
  ['G, then O R P F T', 'Overview, Requests, Pipelines, Faults, record tables'],
  ['N', 'Go to the next event'],
  ['F', 'Freeze or run the clock'],
  ['/', 'Filter the current view'],
  ['C', 'Copy the last call'],
  ['Arrows, Enter', 'Move through rows, runs and blocks, and open one'],
  ['Ctrl Enter, Esc', 'Save or copy, close'],
  ['?', 'Show this list'],
] as const

export function Shortcuts() {
  return (
    <Dialog title="Keyboard shortcuts">
      <Terms as="terms" of={shortcuts} />
    </Dialog>
  )
}
