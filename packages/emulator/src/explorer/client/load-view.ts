import type { LiveContainer, LiveReport } from '../live-report.ts'
import { containerHeader } from './container-header.ts'
import { element, fill, setText } from './element.ts'
import { bytesText, countText, percentText, timeText } from './format.ts'
import { hotKeys } from './hot-keys.ts'
import { heatPicture } from './heat-picture.ts'
import type { LoadHistory } from './load-history.ts'
import { rangeActions } from './range-actions.ts'
import { rangeTable } from './range-table.ts'
import type { ContainerName } from './request.ts'
import type { View } from './view.ts'

/** Load of the physical partitions of a container: figures, the picture, and the table with the same numbers. */
export function loadView(container: ContainerName, history: LoadHistory, refresh: () => void): View {
  const tiles = element('dl', { class: 'tiles' })
  const actions = rangeActions(container, refresh)
  const picture = heatPicture(history, () => actions.update(history, picture.chosen()))
  const span = element(
    'select',
    { change: () => setSpan() },
    SPANS.map(([seconds, text]) => element('option', { value: seconds }, text))
  )
  const [from, to] = [element('span', {}), element('span', {})]
  const ranges = rangeTable(history, actions)
  const details = element(
    'details',
    { toggle: () => ranges.update(latest) },
    element('summary', {}, 'Table'),
    ranges.element
  )
  let latest: LiveContainer | undefined

  function setSpan(): void {
    picture.setSeconds(Number(span.value))
  }

  function update({ container: live }: LiveReport): void {
    if (live === null) return
    latest = live
    showTiles(tiles, live, history)
    picture.draw()
    setText(from, timeText((history.lastSecond - Number(span.value)) * 1000))
    setText(to, `${timeText(history.lastSecond * 1000)} UTC`)
    actions.update(history, picture.chosen(), live)
    if (details.open) ranges.update(live)
  }

  // the size of the picture follows the window
  new ResizeObserver(() => picture.draw()).observe(picture.canvas)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => picture.draw())
  return {
    element: element(
      'div',
      {},
      containerHeader(container, 'load'),
      tiles,
      element(
        'section',
        { 'aria-labelledby': 'load-heading' },
        element(
          'div',
          { class: 'heading-line' },
          element('h3', { id: 'load-heading' }, 'Load by physical partition'),
          element('label', { class: 'inline' }, 'Last ', span)
        ),
        element(
          'p',
          { class: 'lead' },
          'Each row is a physical partition; its height is its share of the hash space. The color is the used share of its RU/s in a second. The bars on the right are the last second; the line is 100 %.'
        ),
        picture.canvas,
        element('p', { class: 'axis-line' }, from, to),
        picture.sentence,
        actions.element,
        legend(),
        details,
        hotKeys(container)
      )
    ),
    update
  }
}

const SPANS = [
  [120, '2 minutes'],
  [300, '5 minutes'],
  [600, '10 minutes']
] as const

const LEGEND = ['idle', 'below 25 %', '25 %', '50 %', '80 %', '100 % and more'] as const

function legend(): HTMLElement {
  return element(
    'ul',
    { class: 'legend', 'aria-label': 'Colors' },
    LEGEND.map((text, level) => element('li', {}, element('span', { class: `swatch level-${level}` }), text)),
    element('li', {}, element('span', { class: 'swatch throttled' }), 'operations refused with 429')
  )
}

function showTiles(tiles: HTMLElement, live: LiveContainer, history: LoadHistory): void {
  const second = history.lastSecond - 1
  const used = sum(history.live.map((range) => range.usedRu(second)))
  const shares = history.live.map((range) => range.usedShare(second))
  const busiest = Math.max(0, ...shares)
  const refused = sum(
    history.live.flatMap((range) => Array.from({ length: 60 }, (_, ago) => range.throttled(second - ago)))
  )
  const values: readonly (readonly [name: string, value: string, note: string])[] = [
    [
      'Used now',
      `${countText(used)} RU/s`,
      `${percentText(used / live.ruPerSecond)} of ${countText(live.ruPerSecond)}`
    ],
    [
      'Busiest partition',
      percentText(busiest),
      busiest === 0 ? 'all are idle' : `id ${history.live[shares.indexOf(busiest)].range.id}`
    ],
    ['Refused with 429', countText(refused), 'in the last minute'],
    ['Throughput', `${countText(live.ruPerSecond)} RU/s`, `${live.mode}${live.isShared ? ', of the database' : ''}`],
    ['Physical partitions', countText(live.phases.length), movingText(live.phases)],
    ['Items', countText(sum(live.items)), bytesText(sum(live.bytes))]
  ]
  if (tiles.childElementCount === 0)
    fill(
      tiles,
      values.map(([name]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}), element('dd', { class: 'note' }))
      )
    )
  for (const [index, [, value, note]] of values.entries()) {
    const [, main, small] = tiles.children[index].children
    setText(main, value)
    setText(small, note)
  }
}

function movingText(phases: readonly string[]): string {
  const moving = phases.filter((phase) => phase !== 'online').length
  return moving === 0 ? 'all online' : `${countText(moving)} in a split or merge`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
