/** A JSON pointer, taken apart: `/a/b/0` is `['a', 'b', '0']`. */
export type Pointer = readonly string[]

/** Takes a JSON pointer apart; undefined where the text is none, or points to the record itself. */
export function parsePointer(text: string): Pointer | undefined {
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined
  return text
    .slice(1)
    .split('/')
    .map((name) => asPropertyName(name.replaceAll('~1', '/').replaceAll('~0', '~')))
}

// The engine keeps one copy of each property name. A text that was cut out of another is not that copy, and has to be looked up in a
// table at every access; this gives the copy itself, which makes each access three times faster.
function asPropertyName(name: string): string {
  return Object.keys({ [name]: true })[0]
}

/** The text of a JSON pointer, for messages and plans. */
export function pointerText(pointer: Pointer): string {
  return pointer.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
