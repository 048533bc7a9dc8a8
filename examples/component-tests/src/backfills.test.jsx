import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { test as base, expect } from 'pipeline-understudy/vitest'
import { Backfills } from './backfills.jsx'

const test = base.extend({
  understudyOptions: {
    fixture: {
      pipelines: [{ name: 'sales' }],
      backfills: [{ pipeline_uuid: 'sales', name: 'march' }],
    },
  },
})

test('deletes a backfill', async ({ understudy }) => {
  render(<Backfills pipeline="sales" />)
  fireEvent.click(await screen.findByText('Delete march'))

  await expect.poll(() => screen.queryByText('Delete march')).toBeNull()
  expect(understudy.model.backfills.all()).toEqual([])
  cleanup()
})

test('shows why a backfill was not deleted', async ({ understudy }) => {
  understudy.faults.add({
    operation: 'deleteBackfill',
    error: { code: 500, type: 'disk_full', message: 'No space left.' },
  })
  render(<Backfills pipeline="sales" />)
  fireEvent.click(await screen.findByText('Delete march'))

  expect((await screen.findByRole('alert')).textContent).toBe('No space left.')
  expect(understudy).toHaveReceived('deleteBackfill', { status: 500 })
  cleanup()
})
