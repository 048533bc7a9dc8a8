import type { Signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Live } from './live.ts'
import type { Routes } from './routes.ts'
import type { ActRunner } from './runner.ts'

export interface Panel {
  readonly live: Live
  readonly runner: ActRunner
  readonly routes: Routes
  /** The URL of the API in commands. */
  readonly origin: string
  /** The URL of the API documentation, if the server has one. */
  readonly docs: string | undefined
  readonly dialog: Signal<'find' | 'shortcuts' | 'recorder' | 'worlds' | undefined>
  closeDialog(): void
  /** Copies a text, and shows a message that names it. */
  copy(text: string, what: string): void
}

export const PanelContext = createContext<Panel | undefined>(undefined)

export function usePanel(): Panel {
  const panel = useContext(PanelContext)
  if (panel === undefined) throw new Error('A view of the panel is outside of it.')
  return panel
}
