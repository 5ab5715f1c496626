import type { Dependencies } from '../dependencies.ts'

const MAX_COLUMNS = 100
const MIN_COLUMNS = 40

/** Lays out text for standard output: lines of at most 100 columns, colors only on a terminal. */
export interface TextLayout {
  /** Wraps a paragraph. */
  readonly paragraph: (text: string) => readonly string[]
  /** Wraps a paragraph after a label; the further lines begin below the text. */
  readonly labeled: (label: string, labelColumns: number, text: string) => readonly string[]
  /** A table whose first column is aligned to the left, and the others to the right. */
  readonly table: (rows: readonly (readonly string[])[]) => readonly string[]
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
}

type Output = Pick<Dependencies, 'stdout' | 'env'>

/** A layout for the width of the terminal; 100 columns elsewhere. */
export function createTextLayout({ stdout, env }: Output): TextLayout {
  const isTerminal = stdout.isTTY === true
  const columns = Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, (isTerminal ? stdout.columns : undefined) ?? MAX_COLUMNS))
  // https://no-color.org
  const hasColors = isTerminal && (env['NO_COLOR'] ?? '') === ''
  const styled = (code: number) => (text: string) => (hasColors ? `\u001b[${code}m${text}\u001b[0m` : text)
  return {
    paragraph: (text) => wrap(text, columns),
    labeled: (label, labelColumns, text) =>
      wrap(text, columns - labelColumns).map(
        (line, index) => `${(index === 0 ? label : '').padEnd(labelColumns)}${line}`
      ),
    table: (rows) => alignRows(rows),
    bold: styled(1),
    dim: styled(2)
  }
}

function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function alignRows(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd()
  )
}
