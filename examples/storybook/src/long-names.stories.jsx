import { PipelineList } from './pipeline-list.jsx'

/** Names of stories that are no valid names of worlds. */
export default {
  title: 'Long names',
  tags: ['autodocs'],
  render: (_, { loaded }) => <PipelineList baseUrl={loaded.understudy.baseUrl} />,
}

export const Größe = {
  name: 'Größe: 名前が長い物語でも、自分だけの世界を持ち、ほかの物語のパイプラインを見ることはありません、いつまでも',
  parameters: { understudy: { fixture: { pipelines: [{ name: 'größer' }] } } },
}
