import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorText } from './toasts'

/** Shows the data of a query; before that, the loading state or the error. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (error === null) return <p className="waiting">Loading …</p>
  return (
    <div className="nothing" role="alert">
      <h2>This could not be loaded</h2>
      <ErrorText error={error} />
      <button type="button" className="button" onClick={() => void refetch()}>
        Try again
      </button>
    </div>
  )
}

export function NotFound() {
  return (
    <div className="nothing">
      <h1>Nothing is here</h1>
      <p>
        <Link to="/">To the pipelines</Link>
      </p>
    </div>
  )
}
