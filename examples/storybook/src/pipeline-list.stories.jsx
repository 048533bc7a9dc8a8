import { PipelineList } from './pipeline-list.jsx'

export default {
  title: 'Pipeline list',
  tags: ['autodocs'],
  // A page of docs shows several stories. Each base URL selects the world of its story.
  render: (_, { loaded }) => <PipelineList baseUrl={loaded.understudy.baseUrl} />,
}

export const OfTheUnderstudy = {}

export const WithAFixture = {
  parameters: { understudy: { fixture: { pipelines: [{ name: 'orders' }, { name: 'stock' }] } } },
}

export const WithAScenario = {
  parameters: { understudy: { scenario: 'empty' } },
}

export const WithAFault = {
  parameters: {
    understudy: { faults: [{ operation: 'listPipelines', error: { code: 500, message: 'No space.' } }] },
  },
}

/** On its own page, a story needs no base URL. */
export const Alone = {
  tags: ['!autodocs'],
  render: () => <PipelineList />,
  parameters: { understudy: { fixture: { pipelines: [{ name: 'alone' }] } } },
}
