/**
 * Lines that a terminal shows after it has received `output`.
 * Interprets line ends, carriage returns, "cursor up" and "erase to the end of the line"; ignores colors and other
 * escape sequences.
 */
export function screenOf(output: string): readonly string[] {
  const lines: string[] = ['']
  let row = 0
  let column = 0
  for (const [token, up] of output.matchAll(TOKEN)) {
    if (token === '\n') {
      row += 1
      column = 0
    } else if (token === '\r') column = 0
    else if (up !== undefined) row = Math.max(0, row - Number(up))
    else if (token === ERASE_LINE) lines[row] = lineAt(row).slice(0, column)
    else if (!token.startsWith('\u001B')) {
      const line = lineAt(row).padEnd(column)
      lines[row] = line.slice(0, column) + token + line.slice(column + token.length)
      column += token.length
    }
  }
  return Array.from(lines, (line) => (line ?? '').trimEnd())

  function lineAt(index: number): string {
    return (lines[index] ??= '')
  }
}

/** Wraps sentences at `columns`. Does not wrap lines with a fixed layout: they have several blanks in a row. */
export function wrapLines(lines: readonly string[], columns: number): readonly string[] {
  return lines.flatMap((line) => (line.length <= columns || / {2}\S/.test(line) ? [line] : wrapLine(line, columns)))
}

const ERASE_LINE = '\u001B[K'
// oxlint-disable-next-line no-control-regex -- terminal sequences begin with the escape character
const TOKEN = /\n|\r|\u001B\[(\d+)A|\u001B\[[\d;?]*[A-Za-z]|[^\n\r\u001B]+/g

function wrapLine(line: string, columns: number): readonly string[] {
  const wrapped: string[] = ['']
  for (const word of line.split(' ')) {
    const last = wrapped.at(-1)!
    if (last !== '' && last.length + 1 + word.length > columns) wrapped.push(word)
    else wrapped[wrapped.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return wrapped
}
