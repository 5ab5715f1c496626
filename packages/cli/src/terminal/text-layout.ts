import type { Dependencies } from '../dependencies.ts'

const MAX_COLUMNS = 100
const MIN_COLUMNS = 40

/** Lays out text for standard output: lines of at most 100 columns, colors only on a terminal. */
export interface TextLayout {
  /** Wraps a paragraph. */
  readonly paragraph: (text: string) => readonly string[]
  /** Wraps a paragraph after a label; the further lines begin below the text. */
  readonly labeled: (label: string, labelColumns: number, text: string) => readonly string[]
  /**
   * A table whose first column is aligned to the left, and the others to the right. If the lines would be too long, the
   * cells of the first column are wrapped; `indent`: spaces before the further lines of a cell.
   */
  readonly table: (rows: readonly (readonly string[])[], options?: { readonly indent?: number }) => readonly string[]
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
    table: (rows, { indent = 0 } = {}) => alignRows(rows, columns, indent),
    bold: styled(1),
    dim: styled(2)
  }
}

// a number stays on the line of its unit: 67 %, 20 GB, 400 RU/s
const UNITED = / (?!%|(?:RU(?:\/s)?|[KMGTP]?B)\b)/

function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(UNITED)) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

const GAP = '  '
const MIN_FIRST_COLUMN = 20

function alignRows(rows: readonly (readonly string[])[], columns: number, indent: number): readonly string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const others = widths.slice(1).reduce((sum, width) => sum + GAP.length + width, 0)
  widths[0] = Math.min(widths[0], Math.max(MIN_FIRST_COLUMN, columns - others))
  return rows.flatMap(([first, ...cells]) => {
    const [line, ...further] = wrapCell(first, widths[0], indent)
    const aligned = cells.map((cell, index) => cell.padStart(widths[index + 1]))
    return [[line.padEnd(widths[0]), ...aligned].join(GAP).trimEnd(), ...further]
  })
}

/** Wraps a cell; the spaces at its beginning, and those within the first `indent` characters, stay. */
function wrapCell(cell: string, width: number, indent: number): readonly string[] {
  if (cell.length <= width) return [cell]
  return wrap(cell.slice(indent), width - indent).map(
    (line, index) => `${index === 0 ? cell.slice(0, indent) : ' '.repeat(indent)}${line}`
  )
}
