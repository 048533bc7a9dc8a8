import { signal } from '@preact/signals'

/** The parts that are loaded after the first picture: all views but the overview, and the dialogs. */
export const later = signal<Partial<typeof import('./later.ts')>>({})
let loading: Promise<void> | undefined

export async function loadLater(): Promise<void> {
  loading ??= import('./later.ts').then((parts) => {
    later.value = parts
  })
  return loading
}
