import type { Pointer } from '../plan/compiled.ts'

/** Takes a JSON pointer apart; undefined where the text is none, or points to the record itself. */
export function parsePointer(text: string): Pointer | undefined {
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined
  return text
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The text of a JSON pointer, for messages and plans. */
export function pointerText(pointer: Pointer): string {
  return pointer.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
