/** First character of an escape: `~2D` is a `-` that belongs to a component. */
export const ESCAPE = '~'

// all characters that are escaped are ASCII
const ESCAPES: readonly string[] = Array.from(
  { length: 128 },
  (_, code) => ESCAPE + code.toString(16).toUpperCase().padStart(2, '0')
)

/** Creates a reversible escape: it replaces each reserved character, and `~` itself, by `~` and two hex digits. */
export function createEscape(reserved: string): (text: string) => string {
  const codes = [...new Set(reserved + ESCAPE)].map((mark) => mark.charCodeAt(0))
  const [first, second = first, third = second] = codes
  return (text) => {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === first || code === second || code === third) return escapeFrom(text, at, codes)
    }
    return text
  }
}

/** Reverses `createEscape`; returns undefined for a string that `createEscape` cannot have made. */
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

/** Escape of one character. */
export function escapeMark(code: number): string {
  return ESCAPES[code]
}

function escapeFrom(text: string, start: number, codes: readonly number[]): string {
  let escaped = text.slice(0, start)
  let from = start
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (!codes.includes(code)) continue
    escaped += text.slice(from, at) + escapeMark(code)
    from = at + 1
  }
  return escaped + text.slice(from)
}
