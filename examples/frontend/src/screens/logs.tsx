import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { logs } from '../api/queries'
import { LogFiles } from '../parts/log-files'
import { Loaded } from '../parts/nothing'

const route = getRouteApi('/inside/pipelines/$uuid/logs')

export function Logs() {
  const { uuid } = route.useParams()
  const [follow, setFollow] = useState(true)
  const query = useQuery(logs(uuid, { follow }))
  return (
    <>
      <p className="trail">
        <Link to="/">Pipelines</Link> /{' '}
        <Link to="/pipelines/$uuid" params={{ uuid }}>
          {uuid}
        </Link>
      </p>
      <div className="heading">
        <h1>Logs</h1>
        <label className="switch">
          <input type="checkbox" checked={follow} onChange={(event) => setFollow(event.target.checked)} />
          Follow
        </label>
      </div>
      <Loaded query={query}>{(files) => <LogFiles files={files} follow={follow} />}</Loaded>
    </>
  )
}
