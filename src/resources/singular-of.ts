/** Endings of plurals with those of their singulars. The first match is used. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/(movie|cookie|series|species|news)s?$/, '$1'],
  [/ies$/, 'y'],
  [/(analy|diagno|hypothe|synthe|parenthe|cri|oa)ses$/, '$1sis'],
  [/(stat|bon|camp|cens|vir|foc|\bb|_b)uses$/, '$1us'],
  [/(ali|atl|canv|bi|g)ases$/, '$1as'],
  [/(ss|sh|ch|x|zz)es$/, '$1'],
  [/(^|_)people$/, '$1person'],
  [/children$/, 'child'],
  [/men$/, 'man'],
  [/(ind|vert)ices$/, '$1ex'],
  [/matrices$/, 'matrix'],
  [/([^isu])s$/, '$1'],
]

/**
 * Returns the singular of a plural in snake case, in the way of the specification: `status` of `statuses`. A word without
 * a plural ending does not change. No library: their tables of exceptions are too large for a page.
 *
 * @example
 * singularOf('feature_flags') // 'feature_flag'
 */
export function singularOf(plural: string): string {
  const fitting = endings.find(([ending]) => ending.test(plural))
  return fitting === undefined ? plural : plural.replace(...fitting)
}
