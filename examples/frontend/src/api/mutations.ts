import { type MutationMeta, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ListedBackfill, OperationBody, OperationReply, PipelineSchedule } from 'pipeline-understudy/api'
import { showToast } from '../parts/toasts'
import { send } from './client'
import { currentSession, decodeToken, storeSession } from './session'

type WrittenBackfill = OperationBody<'updateBackfill'>['backfill']
type BackfillPage = OperationReply<'listBackfills'>

/** Title of the toast after a failed mutation. */
const failed = (failed: string): MutationMeta => ({ failed })

export interface SignIn {
  readonly apiKey: string
  readonly email: string
  readonly password: string
}

export function useSignIn() {
  return useMutation({
    // The form shows the error itself.
    meta: { isReported: true },
    mutationFn: async ({ apiKey, email, password }: SignIn) => {
      storeSession(undefined)
      const body = { session: { email, password } }
      const { session } = await send<'createSession'>('/sessions', { method: 'POST', body, apiKey })
      storeSession({ apiKey, email, token: decodeToken(session.token) })
    },
  })
}

export function useTrigger(pipelineUuid: string) {
  const client = useQueryClient()
  return useMutation({
    meta: failed('The run was not started'),
    mutationFn: async ({ id, token }: Pick<PipelineSchedule, 'id' | 'token'>) => {
      const body = { started_by: currentSession()?.email ?? 'Night Shift' }
      const path = `/pipeline_schedules/${id}/pipeline_runs/${token}`
      return (await send<'triggerPipeline'>(path, { method: 'POST', body })).pipeline_run
    },
    onSuccess: (run) => client.setQueryData(['run', run.id], run),
    onSettled: () => client.invalidateQueries({ queryKey: ['pipeline', pipelineUuid] }),
  })
}

export function useCreateBackfill() {
  const client = useQueryClient()
  return useMutation({
    meta: failed('The backfill was not created'),
    mutationFn: ({ pipelineUuid, ...backfill }: WrittenBackfill & { name: string; pipelineUuid: string }) =>
      send<'createBackfill'>(`/pipelines/${encodeURIComponent(pipelineUuid)}/backfills`, {
        method: 'POST',
        body: { backfill },
      }),
    // Here and not where it is called: the form is closed by then.
    onSuccess: (_reply, { name }) => showToast({ title: `Created “${name}”` }),
    onSettled: () => client.invalidateQueries({ queryKey: ['backfills'] }),
  })
}

export function useUpdateBackfill() {
  const client = useQueryClient()
  return useMutation({
    meta: failed('The backfill was not changed'),
    mutationFn: ({
      id,
      pipeline_uuid,
      changes,
    }: Pick<ListedBackfill, 'id' | 'pipeline_uuid'> & { changes: WrittenBackfill }) =>
      send<'updateBackfill'>(`/pipelines/${encodeURIComponent(pipeline_uuid)}/backfills/${id}`, {
        method: 'PUT',
        body: { backfill: changes },
      }),
    onSuccess: ({ backfill }) => showToast({ title: `Changed “${backfill.name}”` }),
    onSettled: () => client.invalidateQueries({ queryKey: ['backfills'] }),
  })
}

/** Takes a backfill off the page at once, and puts it back where the server does not delete it. */
export function useDeleteBackfill() {
  const client = useQueryClient()
  const queryKey = ['backfills']
  return useMutation({
    meta: failed('The backfill was not deleted'),
    mutationFn: ({ id }: Pick<ListedBackfill, 'id' | 'name'>) =>
      send<'deleteBackfill'>(`/backfills/${id}`, { method: 'DELETE' }),
    onMutate: async ({ id }) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueriesData<BackfillPage>({ queryKey })
      client.setQueriesData<BackfillPage>(
        { queryKey },
        (page) => page && { ...page, backfills: page.backfills.filter((backfill) => backfill.id !== id) },
      )
      return before
    },
    onError: (_error, _backfill, before) => {
      for (const [key, page] of before ?? []) client.setQueryData(key, page)
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
