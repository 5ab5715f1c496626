import type { LiveContainer } from '../live-report.ts'
import { type Content, element, fill, setText, table } from './element.ts'
import { bytesText, countText, percentText } from './format.ts'
import type { LoadHistory } from './load-history.ts'
import type { RangeActions } from './range-actions.ts'

/** Table of physical partitions. */
export interface RangeTable {
  readonly element: HTMLElement
  readonly update: (live: LiveContainer | undefined) => void
}

const SHOWN = 50
const HEADINGS = [
  'Id',
  'From',
  'Hash space',
  'State',
  'Items',
  'Size',
  'RU/s',
  'Used now',
  'Highest in 2 min',
  '429 in 2 min',
  ''
]
const NUMBERS = [2, 4, 5, 6, 7, 8, 9]

/** The numbers of the picture as a table, fifty rows at a time. Its cells are updated in place, so that focus stays. */
export function rangeTable(history: LoadHistory, actions: RangeActions): RangeTable {
  const body = element('div', {})
  const position = element('span', { class: 'muted' })
  const previous = element('button', { type: 'button', click: () => turn(-SHOWN) }, 'Previous')
  const next = element('button', { type: 'button', click: () => turn(SHOWN) }, 'Next')
  const pages = element('div', { class: 'actions' }, previous, next, position)
  let first = 0
  let shown = ''
  let latest: LiveContainer | undefined

  function turn(by: number): void {
    first += by
    update(latest)
  }

  function update(live: LiveContainer | undefined): void {
    if (live === undefined) return
    latest = live
    const count = history.live.length
    first = Math.max(0, Math.min(first, count - 1))
    const indices = Array.from({ length: Math.min(SHOWN, count - first) }, (_, at) => first + at)
    const ids = JSON.stringify(indices.map((index) => history.live[index].range.id))
    if (ids !== shown) {
      shown = ids
      fill(
        body,
        table(
          'Physical partitions',
          HEADINGS,
          indices.map((index) => [...HEADINGS.slice(1).map(() => ''), buttons(index)]),
          NUMBERS
        )
      )
    }
    const rows = body.querySelectorAll('tbody tr')
    for (const [at, index] of indices.entries()) {
      for (const [column, text] of textsOf(index, live).entries()) setText(rows[at].children[column], text)
    }
    pages.hidden = count <= SHOWN
    previous.disabled = first === 0
    next.disabled = first + SHOWN >= count
    setText(position, `Rows ${countText(first + 1)} to ${countText(first + indices.length)} of ${countText(count)}`)
  }

  function buttons(index: number): Content {
    const { id } = history.live[index].range
    return element(
      'span',
      { class: 'cell-buttons' },
      element(
        'button',
        { type: 'button', 'aria-label': `Split ${id}`, click: () => actions.run('split', id) },
        'Split'
      ),
      element('button', { type: 'button', 'aria-label': `Merge ${id}`, click: () => actions.run('merge', id) }, 'Merge')
    )
  }

  function textsOf(index: number, live: LiveContainer): string[] {
    const load = history.live[index]
    const { range, provisioned } = load
    const last = history.lastSecond - 1
    let [highest, refused] = [0, 0]
    for (let ago = 0; ago < 120; ago++) {
      highest = Math.max(highest, load.usedShare(last - ago))
      refused += load.throttled(last - ago)
    }
    return [
      range.id,
      range.min === '' ? 'the lowest hash' : range.min.slice(0, 12),
      percentText(range.to - range.from),
      live.phases[index],
      countText(live.items[index]),
      bytesText(live.bytes[index]),
      countText(provisioned),
      percentText(load.usedShare(last)),
      percentText(highest),
      countText(refused)
    ]
  }

  return { element: element('div', {}, body, pages), update }
}
