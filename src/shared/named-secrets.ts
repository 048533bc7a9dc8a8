import { anyOf } from './any-of.ts'
import { hidden } from './hidden.ts'
import { isPass, nameOfOne } from './secrets.ts'

// Each is bounded, so that no text makes it slow.
/** What may be a name, nested or not: `session[password]`, `session%5Bpassword%5D`, `pass\u0077ord`. */
const names = /(?:[\w.%[\]-]|\\u\w{4}){1,99}/g

/** What stands between a name and its value, where they belong together. */
const joint = anyOf('y', [
  // `:`, `=` or `=>`, with or without quotes around the name
  /(?:\\{0,9}["']\]?)?\s{0,99}(?:=>|:=?|=(?!=))\s{0,99}/,
  // `value=`, not far behind the name
  /[^<>]{0,99}?\bvalue(?:\\{0,9}["'])?\s{0,99}[:=]\s{0,99}/,
  // the rest of the head of a form's part
  /(?<=name="?\S{1,99})[^\r\n]{0,99}(?:\r?\n[^\r\n]{1,99}){0,4}\r?\n\r?\n/,
  // the end of the tag that the name stands in
  /(?<=<[^\s/>]{1,99}|=["']\S{1,99})[^<>]{0,99}>/,
  // a space behind `Bearer` or a flag
  /(?<=Bearer|(?:^|\s)--?\S{1,99})\s{1,99}(?=[^\s=]{8})/,
])

/** A value. What has no end goes on to the end of the text. */
const value = anyOf('isy', [
  // the whole line of a header
  /(?<=(?:authorization|cookie):\s{0,99})(?:="[^"\r\n]*"?|[^\r\n"'])+/,
  // what stands in a tag, as it is or as CDATA
  /(?<=[^=]>)(?:<!.*?(?:\]\]>|$)|[^<]*)/,
  // a part of a form
  /(?<=\n\r?\n).*?(?=\r?\n--|$)/,
  // in quotes, the end like the beginning; a type may stand before them
  /(?:[a-z][\w.]{0,40}(?:\[[^\]\n]{1,40}\]|<[^>\n]{1,40}>)?(?:\s\|\s\w{1,20})?\s=\s{0,9}(?=["'`]))?(?<quote>\\*(?:"""|'''|["'`]))(?:(?!(?<!\\)\k<quote>).)*/,
  // a text that is indented below (YAML)
  /[|>]\S*(?:\n\s[^\n]*)+/,
  // a list or more names that are indented below (YAML)
  /(?<=:[^\S\n]{0,9}\n(?<indent>[^\S\n]{0,99}))(?:-|(?<=\s\s)["'\w]+:)\s[^\n]*(?:\n\k<indent>[^\n]*)*/,
  // in brackets
  /[[{](?:[^[\]{}]|[[{][^[\]{}]*[\]}])*(?:[\]}]|.*)/,
  // a word, with `Bearer` or `Basic` before it; what begins a sentence is none
  /(?!(?:must|expected)\s)(?:B\w{4,5}\s)?(?:[^\s&;"'#,]|[,'](?=\S)|(?<!\?\S{1,99})#)+/,
])

/** A name that may be one of a credential, by what stands around it. */
const doubtful = /(?:s|value\W?)$/i
/** Where it is one. */
const decided = anyOf('iy', [
  // `pass` with a text; it is a word of sentences and a result, too
  /(?<=^|["'`&?<{(]|\n\s{0,40})pass(?:[\\"'`]{0,9}\s{0,9}[:=]>?\s{0,9}[\\"'`]|[=>](?!(?:[\d.]+|true|false|null)\b))/,
  // credentials in a list, of JSON or YAML; a `value` with the name of what it is behind it
  /(?!pass\b)[\w.%[\]-]{1,99}[\\"'`]{0,9}\s{0,99}(?:=>|:=?|=)\s{0,99}(?:\[|-\s|(?<=\bvalue\W{1,99})[\\"'`]{0,9}[^"'`&;,\\\n{}<>]{1,400}[\\"'`]{0,9}[\s,;&"'`]{1,40}[\w.%[\]-]{1,99}[\\"'`]{0,9}\s{0,9}[:=]\s{0,9}[\\"'`]{0,9}(?<behind>[\w.%[\]-]{1,99}))/,
])

/** Hides what a text joins to secret names, whatever it is written in. */
export function hideNamed(text: string, isSecret: (name: string) => boolean): string {
  let shown = ''
  let from = 0
  for (const { 0: name, index } of text.matchAll(names)) {
    if (index < from) continue
    if (!isSecret(name)) {
      if (!doubtful.test(name)) continue
      decided.lastIndex = index
      const by = decided.exec(text)
      if (by === null || !(isPass(name) || isSecret(by.groups?.behind ?? nameOfOne(name)))) continue
    }
    joint.lastIndex = index + name.length
    if (!joint.test(text)) continue
    value.lastIndex = joint.lastIndex
    const found = value.exec(text)
    if (!found?.[0]) continue
    shown += text.slice(from, joint.lastIndex) + (found.groups?.quote ?? '') + hidden
    from = value.lastIndex
  }
  return shown + text.slice(from)
}
