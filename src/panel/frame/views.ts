/** A view of the navigation. */
interface ViewLink {
  readonly view: 'now' | 'requests' | 'pipelines' | 'wrong'
  readonly title: string
  /** What it is called where there is little room. */
  readonly short: string
}

/** The views, in the order of the navigation. */
export const views: readonly [ViewLink, ...ViewLink[]] = [
  { view: 'now', title: 'Now', short: 'Now' },
  { view: 'requests', title: 'Requests', short: 'Requests' },
  { view: 'pipelines', title: 'Pipelines', short: 'Pipelines' },
  { view: 'wrong', title: 'Wrong on purpose', short: 'Wrong' },
]
