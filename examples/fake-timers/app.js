const api = 'https://pipelines.example.com/api'

/** An app that starts a run and asks each second whether it has ended, by timers of its own. */
export async function startAndWatch(seen) {
  await fetch(`${api}/pipeline_schedules/1/pipeline_runs/let-me-in`, { method: 'POST' })
  const poll = setInterval(async () => {
    const { pipeline_runs } = await (await fetch(`${api}/pipeline_runs`)).json()
    seen.push(pipeline_runs[0].status)
    if (pipeline_runs[0].status === 'completed') clearInterval(poll)
  }, 1_000)
}
