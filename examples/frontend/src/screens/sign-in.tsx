import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { send } from '../api/client'
import { useSignIn } from '../api/mutations'
import { storeSession } from '../api/session'
import { isMocked, suggested } from '../api/where'
import { Field } from '../parts/dialog'
import { ErrorText } from '../parts/toasts'

export function SignIn() {
  const navigate = useNavigate()
  const signIn = useSignIn()
  // A server that asks for no credentials needs no sign-in.
  const isOpen = useQuery({
    queryKey: ['open'],
    queryFn: () => send<'listPipelines'>('/pipelines', { query: { _limit: 1 } }).then(() => true),
    meta: { isReported: true },
    retry: false,
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name))
    signIn.mutate(
      { apiKey: text('apiKey'), email: text('email'), password: text('password') },
      { onSuccess: () => void navigate({ to: '/' }) },
    )
  }
  function goOn() {
    storeSession({ apiKey: '' })
    void navigate({ to: '/' })
  }
  return (
    <div className="sign-in">
      <h1>Good evening</h1>
      <p className="lead">Sign in to see how the night goes.</p>
      <form className="panel form" onSubmit={submit}>
        <Field label="Email">
          <input name="email" type="text" autoComplete="username" required defaultValue={suggested.email} />
        </Field>
        <Field label="Password">
          <input
            name="password"
            type="password"
            autoComplete="current-password"
            required
            defaultValue={suggested.password}
          />
        </Field>
        <Field label="API key">
          <input name="apiKey" autoComplete="off" spellCheck={false} defaultValue={suggested.apiKey} />
        </Field>
        {signIn.error && (
          <div className="flaw" role="alert">
            <ErrorText error={signIn.error} />
          </div>
        )}
        <div className="actions">
          <button type="submit" className="button button-main" disabled={signIn.isPending}>
            Sign in
          </button>
          {isOpen.data && (
            <button type="button" className="button" onClick={goOn}>
              Go on without
            </button>
          )}
        </div>
      </form>
      {isMocked && (
        <p className="aside">A service worker answers in this page, so nothing you do here leaves it.</p>
      )}
    </div>
  )
}
