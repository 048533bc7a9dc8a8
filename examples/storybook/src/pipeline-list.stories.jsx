import { PipelineList } from './pipeline-list.jsx'

export default {
  title: 'Pipeline list',
  tags: ['autodocs'],
  // A page of docs shows several stories: by its base URL each asks its own world.
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

export const Größe = {
  name: 'Größe: 名前が長い物語でも、自分だけの世界を持ち、ほかの物語のパイプラインを見ることはありません、いつまでも',
  parameters: { understudy: { fixture: { pipelines: [{ name: 'größer' }] } } },
}

/** On its own page, a story needs no base URL. */
export const Alone = {
  tags: ['!autodocs'],
  render: () => <PipelineList />,
  parameters: { understudy: { fixture: { pipelines: [{ name: 'alone' }] } } },
}
