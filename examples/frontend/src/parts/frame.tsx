import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { queryClient } from '../api/query-client'
import { currentSession, storeSession, watchSession } from '../api/session'
import { Toasts } from './toasts'

/** The frame around every screen. */
export function Frame() {
  const session = useSyncExternalStore(watchSession, currentSession)
  const navigate = useNavigate()
  function leave() {
    storeSession(undefined)
    queryClient.clear()
    void navigate({ to: '/sign-in' })
  }
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the content
      </button>
      <header className="top">
        <Link to="/" className="brand">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M19.6 15.9A8.6 8.6 0 0 1 9.9 4a8.9 8.9 0 1 0 9.7 11.9Z" />
          </svg>
          Night Shift
        </Link>
        {session && (
          <>
            <nav aria-label="Main">
              <Link to="/" activeOptions={{ exact: true }}>
                Pipelines
              </Link>
              <Link to="/backfills">Backfills</Link>
            </nav>
            <p className="who">
              <span className="who-email">{session.email}</span>
              <button type="button" className="button button-quiet" onClick={leave}>
                {session.email ? 'Sign out' : 'Sign in'}
              </button>
            </p>
          </>
        )}
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Toasts />
    </>
  )
}
