import { Mocked } from './mocked'
import { PipelineList } from './pipeline-list'

export default function Page() {
  return (
    <Mocked>
      <PipelineList />
    </Mocked>
  )
}
