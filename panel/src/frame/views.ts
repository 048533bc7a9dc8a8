import { ArrowLeftRight, Clock3, type IconNode, Workflow, Zap } from 'lucide'

interface ViewLink {
  readonly view: 'overview' | 'requests' | 'pipelines' | 'faults'
  readonly title: string
  readonly icon: IconNode
  /** The key that leads there after `G`. */
  readonly letter: string
}

export const views: readonly [ViewLink, ...ViewLink[]] = [
  { view: 'overview', title: 'Overview', icon: Clock3, letter: 'o' },
  { view: 'requests', title: 'Requests', icon: ArrowLeftRight, letter: 'r' },
  { view: 'pipelines', title: 'Pipelines', icon: Workflow, letter: 'p' },
  { view: 'faults', title: 'Faults', icon: Zap, letter: 'f' },
]
