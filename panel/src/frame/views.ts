import { ArrowLeftRight, Clock3, type IconNode, Workflow, Zap } from 'lucide'

/** A view of the navigation. */
interface ViewLink {
  readonly view: 'now' | 'requests' | 'pipelines' | 'wrong'
  readonly title: string
  /** Its title where there is little room. */
  readonly short: string
  readonly icon: IconNode
  /** The key that leads there after `G`. */
  readonly letter: string
}

/** The views, in the order of the navigation. */
export const views: readonly [ViewLink, ...ViewLink[]] = [
  { view: 'now', title: 'Now', short: 'Now', icon: Clock3, letter: 'n' },
  { view: 'requests', title: 'Requests', short: 'Requests', icon: ArrowLeftRight, letter: 'r' },
  { view: 'pipelines', title: 'Pipelines', short: 'Pipelines', icon: Workflow, letter: 'p' },
  { view: 'wrong', title: 'Wrong on purpose', short: 'Wrong', icon: Zap, letter: 'w' },
]
