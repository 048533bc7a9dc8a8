import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Desk } from './desk.ts'
import type { Live } from './live.ts'
import type { Routes } from './routes.ts'

/** What every view is made from. */
export interface Panel {
  readonly live: Live
  readonly desk: Desk
  readonly routes: Routes
  /** Where the API is, as commands name it. */
  readonly origin: string
  /** Says something to a screen reader, politely. */
  copy(text: string, what: string): void
}

export const PanelContext = createContext<Panel | undefined>(undefined)

/** The panel that a view stands in. */
export function usePanel(): Panel {
  const panel = useContext(PanelContext)
  if (panel === undefined) throw new Error('A view of the panel stands outside of it.')
  return panel
}
