import { hidden } from './hidden.ts'
import { isPass, nameOfOne } from './secrets.ts'

// Each bounded, so that no text makes it slow.
/** What may be a name, nested or not: `session[password]`, `session%5Bpassword%5D`, `pass\u0077ord`. */
const names = /(?:[\w.%[\]-]|\\u\w{4}){1,99}/g
/**
 * What stands between a name and its value, where they belong together: `:`, `=` or `=>`, with or without quotes around
 * the name; `value=` not far behind the name; the end of the tag that it stands in; the rest of the head of a form's part; a
 * space after `Bearer` or a flag.
 */
const joint =
  /(?:\\{0,9}["']\]?)?\s{0,99}(?:=>|:=?|=(?!=))\s{0,99}|[^<>]{0,99}?\bvalue(?:\\{0,9}["'])?\s{0,99}[:=]\s{0,99}|(?<=name="?\S{1,99})[^\r\n]{0,99}(?:\r?\n[^\r\n]{1,99}){0,4}\r?\n\r?\n|(?<=<[^\s/>]{1,99}|=["']\S{1,99})[^<>]{0,99}>|(?<=Bearer|(?:^|\s)--?\S{1,99})\s{1,99}(?=[^\s=]{8})/y
/**
 * A value: the whole line of a header, what stands in a tag or in a part of a form, in quotes (its end is quoted like its
 * beginning; a type may stand before them), in brackets, or indented below as a text, a list or more names (YAML), or a word; what begins a sentence is none. What has no end goes on to the end of the text.
 */
const value =
  /(?<=(?:authorization|cookie):\s{0,99})(?:="[^"\r\n]*"?|[^\r\n"'])+|(?<=[^=]>)(?:<!.*?(?:\]\]>|$)|[^<]*)|(?<=\n\r?\n).*?(?=\r?\n--|$)|(?:[a-z][\w.]{0,40}(?:\[[^\]\n]{1,40}\]|<[^>\n]{1,40}>)?(?:\s\|\s\w{1,20})?\s=\s{0,9}(?=["'`]))?(\\*(?:"""|'''|["'`]))(?:(?!(?<!\\)\1).)*|[|>]\S*(?:\n\s[^\n]*)+|(?<=:[^\S\n]{0,9}\n([^\S\n]{0,99}))(?:-|(?<=\s\s)["'\w]+:)\s[^\n]*(?:\n\2[^\n]*)*|[[{](?:[^[\]{}]|[[{][^[\]{}]*[\]}])*(?:[\]}]|.*)|(?!(?:must|expected)\s)(?:B\w{4,5}\s)?(?:[^\s&;"'#,]|[,'](?=\S)|(?<!\?\S{1,99})#)+/isy

/** A name that may be one of a credential, by what stands around it. */
const doubtful = /(?:s|value\W?)$/i
/**
 * Where it is one: `pass` with a text, which is a word of sentences and a result, too; credentials in a list, of JSON or YAML; a
 * `value`, with the name of what it is behind it.
 */
const decided =
  /(?<=^|["'`&?<{(]|\n\s{0,40})pass(?:[\\"'`]{0,9}\s{0,9}[:=]>?\s{0,9}[\\"'`]|[=>](?!(?:[\d.]+|true|false|null)\b))|(?!pass\b)[\w.%[\]-]{1,99}[\\"'`]{0,9}\s{0,99}(?:=>|:=?|=)\s{0,99}(?:\[|-\s|(?<=\bvalue\W{1,99})[\\"'`]{0,9}[^"'`&;,\\\n{}<>]{1,400}[\\"'`]{0,9}[\s,;&"'`]{1,40}[\w.%[\]-]{1,99}[\\"'`]{0,9}\s{0,9}[:=]\s{0,9}[\\"'`]{0,9}([\w.%[\]-]{1,99}))/iy

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
      if (by === null || !(isPass(name) || isSecret(by[1] ?? nameOfOne(name)))) continue
    }
    joint.lastIndex = index + name.length
    if (!joint.test(text)) continue
    value.lastIndex = joint.lastIndex
    const [found, quote = ''] = value.exec(text) ?? []
    if (!found) continue
    shown += text.slice(from, joint.lastIndex) + quote + hidden
    from = value.lastIndex
  }
  return shown + text.slice(from)
}
