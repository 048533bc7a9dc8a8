type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>

/** Returns a predicate for events of keys such as `Ctrl+Shift+U`. */
export function readHotkey(text: string): (event: Pressed) => boolean {
  const parts = text.split('+').map((part) => part.trim().toLowerCase())
  const has = (...names: readonly string[]) => names.some((name) => parts.includes(name))
  const key = parts.at(-1)
  return (event) =>
    event.key.toLowerCase() === key &&
    event.ctrlKey === has('ctrl', 'control') &&
    event.shiftKey === has('shift') &&
    event.altKey === has('alt', 'option') &&
    event.metaKey === has('meta', 'cmd')
}
