import type { LoadHistory, RangeHistory } from './load-history.ts'

/** Lower bounds of the colors, as shares of the provisioned RU. Level 0 is below the first one. */
const LEVELS: readonly number[] = [0.01, 0.25, 0.5, 0.8, 1]

/** Bit of a cell in which operations were refused with 429. */
export const THROTTLED = 0x80

/** Top and bottom of a range in the picture. */
export interface Row {
  readonly top: number
  readonly bottom: number
}

/**
 * Rows of ranges: each height is the share of the hash space. A range that is narrower than a quarter of the mean is
 * drawn with that height, so that it can be seen.
 */
export function layoutRows(ranges: readonly { readonly from: number; readonly to: number }[], height: number): Row[] {
  const shares = ranges.map(({ from, to }) => Math.max(to - from, 0.25 / ranges.length))
  const total = shares.reduce((sum, share) => sum + share, 0)
  let above = 0
  return shares.map((share) => {
    const top = Math.round((above / total) * height)
    above += share
    return { top, bottom: Math.max(top + 1, Math.round((above / total) * height)) }
  })
}

/** The level of a used share. */
export function levelOf(share: number): number {
  return LEVELS.findLastIndex((least) => share >= least) + 1
}

/** Part of the history that is drawn. */
export interface Window {
  readonly firstSecond: number
  readonly seconds: number
  /** Height of the picture in pixels. */
  readonly height: number
}

/**
 * The picture as one byte for each second and pixel of height: a level, and a bit for 429. Where several ranges share a
 * pixel, the highest level is drawn, so that no busy range is lost.
 */
export function drawCells(
  history: LoadHistory,
  rows: readonly Row[],
  { firstSecond, seconds, height }: Window
): Uint8Array {
  const cells = new Uint8Array(seconds * height)
  const draw = (range: RangeHistory, { top, bottom }: Row): void => {
    const end = Math.min(bottom, height)
    for (let x = 0; x < seconds; x++) {
      const second = firstSecond + x
      const level = levelOf(range.usedShare(second))
      const throttled = range.throttled(second) > 0 ? THROTTLED : 0
      if (level === 0 && throttled === 0) continue
      for (let at = x * height + top; at < x * height + end; at++)
        cells[at] = Math.max(cells[at] & ~THROTTLED, level) | ((cells[at] & THROTTLED) | throttled)
    }
  }
  for (const gone of history.gone) draw(gone, rowBetween(gone, history, rows))
  for (const [index, range] of history.live.entries()) draw(range, rows[index])
  return cells
}

/** The row of a range that was replaced, between the rows of the present ranges. */
function rowBetween({ range }: RangeHistory, { live }: LoadHistory, rows: readonly Row[]): Row {
  const place = (position: number): number => {
    const index = live.findIndex(({ range: { to } }) => position <= to)
    if (index < 0) return rows.at(-1)?.bottom ?? 0
    const { from, to } = live[index].range
    const { top, bottom } = rows[index]
    return top + (to === from ? 0 : ((position - from) / (to - from)) * (bottom - top))
  }
  const top = Math.round(place(range.from))
  return { top, bottom: Math.max(top + 1, Math.round(place(range.to))) }
}

/** Colors of pixels as 32-bit numbers in the order of the bytes of image data. */
export interface Colors {
  readonly levels: readonly number[]
  /** Outline of cells with 429. */
  readonly outline: number
}

/** Paints cells as pixels of image data, each second with the same width; outlines the areas with 429. */
export function paintCells(cells: Uint8Array, window: Window, width: number, colors: Colors): Uint32Array {
  const { seconds, height } = window
  const pixels = new Uint32Array(width * height)
  for (let x = 0; x < seconds; x++) {
    const [left, right] = [Math.round((x / seconds) * width), Math.round(((x + 1) / seconds) * width)]
    for (let y = 0; y < height; y++) {
      const cell = cells[x * height + y]
      const start = y * width
      const color = colors.levels[cell & ~THROTTLED]
      if ((cell & THROTTLED) === 0) {
        pixels.fill(color, start + left, start + right)
        continue
      }
      const isEdge =
        !isThrottled(cells, x * height + y - 1, y > 0) || !isThrottled(cells, x * height + y + 1, y < height - 1)
      pixels.fill(isEdge ? colors.outline : color, start + left, start + right)
      if (!isThrottled(cells, (x - 1) * height + y, x > 0)) pixels[start + left] = colors.outline
      if (!isThrottled(cells, (x + 1) * height + y, x < seconds - 1)) pixels[start + right - 1] = colors.outline
    }
  }
  return pixels
}

function isThrottled(cells: Uint8Array, at: number, isInside: boolean): boolean {
  return isInside && (cells[at] & THROTTLED) !== 0
}
