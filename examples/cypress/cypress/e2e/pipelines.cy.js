import { arrange } from '../support/understudy.js'

it('shows a run until it is completed', () => {
  arrange('POST', '/factories/pipeline', { values: { name: 'daily sales' } })
  arrange('POST', '/factories/pipeline_run', {
    values: { pipeline_uuid: 'daily_sales', run_script: 'running for 5s' },
  })
  cy.visit('/')
  cy.contains('daily sales')
  cy.contains('running')

  arrange('POST', '/clock/advance', { duration: '5s' })
  cy.reload()
  cy.contains('completed')
})

it('shows that creating a pipeline failed', () => {
  arrange('POST', '/faults', { operation: 'createPipeline', error: { code: 500, message: 'No space.' } })
  cy.visit('/')
  cy.contains('button', 'Create').click()
  cy.contains('No space.')

  arrange('GET', '/journal?operation=createPipeline').its('entries').should('have.length', 1)
})
