export interface Picture {
  readonly lines: readonly string[]
  /** Short name of the picture. */
  readonly title: string
  /** Text in place of the picture, for screen readers. */
  readonly description: string
}

/**
 * Draws a terminal as SVG, light or dark according to the reader's settings.
 * Bars become rectangles, and each run of words has a fixed width, so that the picture looks the same in any font.
 */
export function terminalSvg({ lines, title, description }: Picture): string {
  const columns = Math.max(...lines.map((line) => line.length))
  const width = round(columns * CELL_WIDTH + 2 * PADDING)
  const height = round(lines.length * LINE_HEIGHT + 2 * PADDING)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...lines.flatMap((line, row) => drawLine(line, PADDING + row * LINE_HEIGHT)),
    '</svg>',
    ''
  ].join('\n')
}

const CELL_WIDTH = 7.3
const LINE_HEIGHT = 17
const PADDING = 16
const BASELINE = 12.5

const STYLE = [
  '.window{fill:#ffffff;stroke:#d0d7de}',
  'text{fill:#1f2328;font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}',
  '.bar{fill:#0969da}',
  '@media(prefers-color-scheme:dark){.window{fill:#0d1117;stroke:#30363d}text{fill:#e6edf3}.bar{fill:#58a6ff}}'
].join('')

const BARS = ' ▁▂▃▄▅▆▇█'
// bars of one height, or words with single blanks between them
const RUN = /([▁▂▃▄▅▆▇█])\1*|[^\s▁▂▃▄▅▆▇█]+(?: [^\s▁▂▃▄▅▆▇█]+)*/g

function drawLine(line: string, top: number): readonly string[] {
  return [...line.matchAll(RUN)].map((match) => {
    const [run, bar] = match
    const x = round(PADDING + match.index * CELL_WIDTH)
    const width = round(run.length * CELL_WIDTH)
    if (bar === undefined) {
      return `<text x="${x}" y="${round(top + BASELINE)}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${escaped(run)}</text>`
    }
    const height = round((LINE_HEIGHT * BARS.indexOf(bar)) / 8)
    return `<rect class="bar" x="${x}" y="${round(top + LINE_HEIGHT - height)}" width="${width}" height="${height}"/>`
  })
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
