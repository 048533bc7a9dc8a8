import { signal } from '@preact/signals'

/** The parts that load after the first paint: all views except the overview, and the dialogs. */
export const later = signal<Partial<typeof import('./later.ts')>>({})

export async function loadLater(): Promise<void> {
  later.value = await import('./later.ts')
}
