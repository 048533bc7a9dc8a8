/** What comes near a value of a list, and is none: in other letters, and with blanks around it. */
export function nearListed(listed: string): readonly [inCapitals: string, edged: string] {
  return [listed.toUpperCase(), ` ${listed} `]
}
