/** The names of classes and custom properties in the sheets and in the modules of the panel. */
export interface StyleNames {
  readonly classes: ReadonlySet<string>
  /** Custom properties that are set. */
  readonly set: ReadonlySet<string>
  /** Custom properties that are read. */
  readonly read: ReadonlySet<string>
}

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\//g, '')
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)

/** Reads the names of a sheet. */
export function namesOfSheet(sheet: string): StyleNames {
  const text = withoutComments(sheet)
  const selectors = namesIn(text, /([^{};]*)\{/g).filter((selector) => !selector.trim().startsWith('@'))
  return {
    classes: new Set(selectors.flatMap((selector) => namesIn(selector, /\.(-?[A-Za-z_][\w-]*)/g))),
    set: new Set(namesIn(text, /[{;]\s*(--[\w-]+):/g)),
    read: new Set(namesIn(text, /var\((--[\w-]+)/g)),
  }
}

/** Properties that take classes: of elements, and of components that hand them on. */
const classProperty = /\b(?:class|as|buttons|tone)=(?:"([^"]*)"|(?=\{))|\bclassName = /g

/** Reads the names that a module gives to elements. What a hole of a template brings is data, and not read. */
export function namesOfModule(source: string): StyleNames {
  const text = withoutComments(source)
  const words = [...text.matchAll(classProperty)].flatMap((found) => {
    const [whole, plain] = found
    const start = found.index + whole.length
    return plain ?? literalsIn(expressionAt(text, start))
  })
  return {
    classes: new Set(words.flatMap((each) => each.split(/\s+/)).filter((word) => word !== '')),
    set: new Set(namesIn(text, /'(--[\w-]+)':/g)),
    read: new Set([...namesIn(text, /: '(--[\w-]+)'/g), ...namesIn(text, /var\((--[\w-]+)/g)]),
  }
}

/** All words in texts of a module. */
export function wordsOfModule(source: string): string[] {
  const texts = withoutComments(source).matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g)
  return [...texts].flatMap(([, one = '', other = '', template = '']) =>
    `${one} ${other} ${template}`.split(/[^\w-]+/),
  )
}

/** Returns the expression in braces at a place, or the line there. */
function expressionAt(text: string, start: number): string {
  if (text[start] !== '{') return text.slice(start, text.indexOf('\n', start))
  let depth = 0
  for (let end = start; end < text.length; end++) {
    if (text[end] === '{') depth += 1
    if (text[end] === '}') depth -= 1
    if (depth === 0) return text.slice(start + 1, end)
  }
  return ''
}

/** Returns the texts of an expression, but for those that something is compared with. */
function literalsIn(expression: string): string[] {
  const plain = [...expression.matchAll(/([!=]== )?'([^']*)'/g)].flatMap(([, compared, text = '']) =>
    compared === undefined ? [text] : [],
  )
  const templates = namesIn(expression, /`([^`]*)`/g).map((template) =>
    template.replaceAll(/\$\{[^}]*\}/g, ' '),
  )
  return [...plain, ...templates]
}
