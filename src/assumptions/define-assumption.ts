/** One point on which the document is silent or contradicts itself, and what the understudy does there. */
export interface Assumption {
  /** The heading of the document where the silence is. */
  readonly section: string
  /** What the understudy does. */
  readonly choice: string
  /** Why, or what speaks for it. */
  readonly why: string
  /** What an independent server of this API, Mage AI 0.9.79, was seen to do. */
  readonly observed?: string
  /** The values `createUnderstudy({ assumptions })` takes for it, the default first; absent where it has no switch. */
  readonly values?: readonly string[]
}
