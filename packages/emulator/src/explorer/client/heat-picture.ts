import { element, setText } from './element.ts'
import { countText, percentText, timeText } from './format.ts'
import { drawCells, layoutRows, levelOf, paintCells, type Row } from './heat-pixels.ts'
import type { LoadHistory } from './load-history.ts'

/** Picture of the load: time runs to the right, the hash space downwards. */
export interface HeatPicture {
  readonly canvas: HTMLElement
  /** Sentence about the chosen cell. */
  readonly sentence: HTMLElement
  /** Draws the newest seconds. */
  readonly draw: () => void
  readonly setSeconds: (seconds: number) => void
  /** Index of the chosen range; undefined until one is chosen. */
  readonly chosen: () => number | undefined
}

const GUTTER = 44
const BARS = 92
const GAP = 10

/** Creates the picture. `choose` is called when the user chooses another range. */
export function heatPicture(history: LoadHistory, choose: () => void): HeatPicture {
  const canvas = element('canvas', {
    class: 'heat',
    tabindex: 0,
    role: 'img',
    'aria-describedby': 'cell',
    keydown: (event) => press(event as KeyboardEvent),
    click: (event) => point(event as MouseEvent)
  })
  const cell = element('p', { id: 'cell', class: 'cell', 'aria-live': 'polite' })
  let seconds = 120
  let rows: Row[] = []
  /** Seconds before the newest one, so that the choice moves with time. */
  let chosen: { range: string; ago: number } | undefined

  const indexOf = (): number => history.live.findIndex(({ range }) => range.id === chosen?.range)

  function draw(): void {
    const startedMs = performance.now()
    const scale = Math.min(2, devicePixelRatio || 1)
    const [width, height] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)]
    if (width === 0 || height === 0) return
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width
      canvas.height = height
    }
    const context = canvas.getContext('2d')!
    const heatWidth = width - Math.round((GUTTER + BARS + GAP) * scale)
    const window = { firstSecond: history.lastSecond - seconds, seconds, height }
    rows = layoutRows(
      history.live.map(({ range }) => range),
      height
    )
    const styles = getComputedStyle(canvas)
    const color = (name: string): string => styles.getPropertyValue(name).trim()
    const colors = {
      levels: [0, 1, 2, 3, 4, 5].map((level) => pixelOf(color(`--level-${level}`))),
      outline: pixelOf(color('--outline'))
    }
    context.clearRect(0, 0, width, height)
    const pixels = paintCells(drawCells(history, rows, window), window, heatWidth, colors)
    const left = Math.round(GUTTER * scale)
    context.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer as ArrayBuffer), heatWidth), left, 0)
    drawRows(context, { left, heatWidth, scale, color })
    drawChoice(context, { left, heatWidth, color })
    canvas.setAttribute('aria-label', labelOf(history, seconds))
    showCell()
    performance.clearMeasures('draw')
    performance.measure('draw', { start: startedMs })
  }

  interface Drawing {
    readonly left: number
    readonly heatWidth: number
    readonly color: (name: string) => string
  }

  /** Ids of ranges, lines between them, and a bar for the load of the last whole second. */
  function drawRows(
    context: CanvasRenderingContext2D,
    { left, heatWidth, scale, color }: Drawing & { readonly scale: number }
  ): void {
    const barLeft = left + heatWidth + GAP * scale
    const barWidth = BARS * scale
    const isWide = (rows.at(-1)?.bottom ?? 0) / rows.length >= 8 * scale
    context.font = `${11 * scale}px system-ui, sans-serif`
    context.textBaseline = 'middle'
    context.textAlign = 'right'
    let lastLabel = Number.NEGATIVE_INFINITY
    for (const [index, { top, bottom }] of rows.entries()) {
      const range = history.live[index]
      const share = range.usedShare(history.lastSecond - 1)
      context.fillStyle = color('--track')
      context.fillRect(barLeft, top, barWidth, bottom - top)
      context.fillStyle = color(`--level-${Math.max(2, levelOf(share))}`)
      context.fillRect(barLeft, top, Math.min(1, share / BAR_SCALE) * barWidth, bottom - top)
      if (isWide && index > 0) {
        context.fillStyle = color('--paper')
        context.fillRect(left, top, heatWidth + GAP * scale + barWidth, scale)
      }
      const middle = (top + bottom) / 2
      if (middle - lastLabel < 14 * scale || middle < 6 * scale || middle > canvas.height - 6 * scale) continue
      lastLabel = middle
      context.fillStyle = color('--muted')
      context.fillText(range.range.id, left - 7 * scale, middle)
    }
    context.fillStyle = color('--text')
    context.fillRect(barLeft + barWidth / BAR_SCALE, 0, scale, canvas.height)
  }

  function drawChoice(context: CanvasRenderingContext2D, { left, heatWidth, color }: Drawing): void {
    const index = indexOf()
    if (chosen === undefined || index < 0) return
    const { top, bottom } = rows[index]
    const x = left + ((seconds - chosen.ago) / seconds) * heatWidth
    context.strokeStyle = color('--text')
    context.lineWidth = 2
    context.strokeRect(x, top, Math.max(4, heatWidth / seconds), Math.max(4, bottom - top))
    context.strokeRect(left, top, heatWidth, Math.max(4, bottom - top))
  }

  function showCell(): void {
    const index = indexOf()
    if (chosen === undefined || index < 0) {
      setText(cell, 'Choose a physical partition in the picture: with the pointer, or with the arrow keys.')
      return
    }
    const second = history.lastSecond - chosen.ago
    const range = history.live[index]
    const throttled = range.throttled(second)
    setText(
      cell,
      `Physical partition ${chosen.range}, ${timeText(second * 1000)}: ${countText(range.usedRu(second))} RU, ${percentText(range.usedShare(second))} of ${countText(range.provisioned)} RU/s${throttled === 0 ? '' : `, ${countText(throttled)} refused with 429`}.`
    )
  }

  function choosePosition(index: number, ago: number): void {
    const range = history.live[Math.max(0, Math.min(history.live.length - 1, index))]
    if (range === undefined) return
    chosen = { range: range.range.id, ago: Math.max(1, Math.min(seconds, ago)) }
    draw()
    choose()
  }

  function press(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const [down, right] = step
    if (chosen === undefined) choosePosition(0, 1)
    else choosePosition(indexOf() + down, chosen.ago - right)
  }

  function point(event: MouseEvent): void {
    const { left, top, width, height } = canvas.getBoundingClientRect()
    const y = ((event.clientY - top) / height) * canvas.height
    const x = (event.clientX - left - GUTTER) / (width - GUTTER - BARS - GAP)
    const index = rows.findIndex((row) => y < row.bottom)
    choosePosition(
      index < 0 ? rows.length - 1 : index,
      seconds - Math.floor(Math.min(Math.max(x, 0), 0.9999) * seconds)
    )
  }

  return {
    canvas,
    sentence: cell,
    draw,
    setSeconds: (given) => {
      seconds = given
      draw()
    },
    chosen: () => {
      const index = indexOf()
      return index < 0 ? undefined : index
    }
  }
}

/** Share at the right end of the bars; the line is at 100 %. */
const BAR_SCALE = 1.5

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [10, 0],
  PageUp: [-10, 0],
  Home: [-1_000_000, 0],
  End: [1_000_000, 0]
}

function labelOf({ live, lastSecond }: LoadHistory, seconds: number): string {
  const shares = live.map((range) => range.usedShare(lastSecond - 1))
  const busiest = shares.indexOf(Math.max(...shares))
  const refused = live.filter((range) => range.throttled(lastSecond - 1) > 0).length
  return `Load of ${countText(live.length)} physical partitions in the last ${seconds} seconds. The busiest one now is ${live[busiest]?.range.id ?? 'none'} with ${percentText(shares[busiest] ?? 0)} of its provisioned throughput; ${countText(refused)} refuse operations with 429.`
}

/** A color such as `#24639c` as a number whose bytes are those of image data on a little-endian machine. */
function pixelOf(hex: string): number {
  const value = Number.parseInt(hex.slice(1), 16)
  return (0xff000000 | ((value & 0xff) << 16) | (value & 0xff00) | (value >>> 16)) >>> 0
}
