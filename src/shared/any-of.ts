/** One regular expression of several, for what takes many forms: the first that fits is taken; of each the source counts alone. */
export function anyOf(flags: string, forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({ source }) => source).join('|'), flags)
}
