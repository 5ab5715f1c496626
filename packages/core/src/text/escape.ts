/** Begins an escape: `~2D` is a `-` that belongs to a component. */
export const ESCAPE = '~'

// every character that is ever escaped is ASCII
const ESCAPES: readonly string[] = Array.from({ length: 128 }, (_, code) => ESCAPE + code.toString(16).toUpperCase().padStart(2, '0'))

/** Makes a component's text free of `reserved`, reversibly: each of them, and the escape itself, becomes `~` and its two hex digits. */
export function createEscape(reserved: string): (text: string) => string {
  const marked = [...new Set(reserved + ESCAPE)].map((mark) => mark.charCodeAt(0))
  const [first, second = first, third = second] = marked
  return (text) => {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === first || code === second || code === third) return escapeFrom(text, at, marked)
    }
    return text
  }
}

/** The text before escaping; undefined where an escape is none that `createEscape` writes. */
export function unescape(text: string, reserved: string): string | undefined {
  if (!text.includes(ESCAPE)) return text
  const pieces = text.split(ESCAPE)
  let plain = pieces[0]
  for (const piece of pieces.slice(1)) {
    const mark = /^[2-7][0-9A-F]/.test(piece) ? String.fromCharCode(Number.parseInt(piece.slice(0, 2), 16)) : ''
    if (mark === '' || !(reserved + ESCAPE).includes(mark)) return undefined
    plain += mark + piece.slice(2)
  }
  return plain
}

/** One character as an escape. */
export function escapeMark(code: number): string {
  return ESCAPES[code]
}

function escapeFrom(text: string, start: number, marked: readonly number[]): string {
  let escaped = text.slice(0, start)
  let from = start
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (!marked.includes(code)) continue
    escaped += text.slice(from, at) + escapeMark(code)
    from = at + 1
  }
  return escaped + text.slice(from)
}
