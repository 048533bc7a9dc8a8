import type { Signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Live } from './live.ts'
import type { Routes } from './routes.ts'
import type { ActRunner } from './runner.ts'

/** What every view is made from. */
export interface Panel {
  readonly live: Live
  readonly runner: ActRunner
  readonly routes: Routes
  /** Where the API is, as commands name it. */
  readonly origin: string
  /** Whether one looks for something to find or to do. */
  readonly isFinding: Signal<boolean>
  /** Copies a text, and says what it was. */
  copy(text: string, what: string): void
}

export const PanelContext = createContext<Panel | undefined>(undefined)

/** The panel that a view stands in. */
export function usePanel(): Panel {
  const panel = useContext(PanelContext)
  if (panel === undefined) throw new Error('A view of the panel stands outside of it.')
  return panel
}
