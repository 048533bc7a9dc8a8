import { useSyncExternalStore } from 'react'
import { ApiError } from '../api/client'

export interface Toast {
  readonly title: string
  /** The error; without it, the toast reports a success and disappears by itself. */
  readonly error?: Error
  readonly again?: () => void
}

interface Shown extends Toast {
  readonly id: number
}

let shown: readonly Shown[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly Shown[]) {
  shown = next
  for (const listener of listeners) listener()
}

export function showToast(toast: Toast): void {
  const id = ++lastId
  // Shows equal toasts once.
  const others = shown.filter(
    ({ title, error }) => title !== toast.title || error?.message !== toast.error?.message,
  )
  set([...others, { ...toast, id }].slice(-3))
  if (!toast.error) setTimeout(() => close(id), 4_000)
}

function close(id: number) {
  set(shown.filter((toast) => toast.id !== id))
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown)
  return (
    <section className="toasts" aria-label="Messages" aria-live="polite">
      {toasts.map(({ id, title, error, again }) => (
        <div key={id} className={error ? 'toast toast-failed' : 'toast'} role={error ? 'alert' : 'status'}>
          <div className="toast-text">
            <p className="toast-title">{title}</p>
            {error && <ErrorText error={error} />}
          </div>
          {again && (
            <button
              type="button"
              className="button"
              onClick={() => {
                close(id)
                again()
              }}
            >
              Try again
            </button>
          )}
          <button
            type="button"
            className="button button-quiet"
            aria-label="Close the message"
            onClick={() => close(id)}
          >
            <span aria-hidden="true">×</span>
          </button>
        </div>
      ))}
    </section>
  )
}

/** Shows an error: the message for users, and its code and type for support. */
export function ErrorText({ error }: { error: Error }) {
  return (
    <p>
      {error.message}{' '}
      {error instanceof ApiError && (
        <code className="code-of-error">
          {error.code} {error.type}
        </code>
      )}
    </p>
  )
}
