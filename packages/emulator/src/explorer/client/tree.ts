import type { LiveReport } from '../live-report.ts'
import { type Content, element, isolated, refill, setText } from './element.ts'
import { countText } from './format.ts'
import { hrefOf, type Selection } from './selection.ts'

/**
 * Creates the tree: databases and their containers as links, and below them the views of the emulator itself. Its links
 * stay while only numbers change, so that the focus stays on them.
 */
export function createTree(nav: HTMLElement): (report: LiveReport, selection: Selection) => void {
  let shown = ''
  return (report, selection) => {
    const links = JSON.stringify([
      report.databases.map(({ id, containers }) => [id, containers.map((container) => container.id)]),
      selection
    ])
    if (links !== shown) drawTree(nav, report, selection)
    shown = links
    const counts = countsOf(report)
    for (const [index, count] of nav.querySelectorAll('.count').entries()) setText(count, counts[index])
  }
}

/** The numbers of the tree, in the order of its links. */
function countsOf({ databases, faults }: LiveReport): string[] {
  const items = databases.flatMap(({ containers }) => containers.map((container) => countText(container.items)))
  return [...items, faults === 0 ? '' : countText(faults), '', '']
}

function drawTree(nav: HTMLElement, { databases }: LiveReport, selection: Selection): void {
  const view = selection.container === undefined ? 'load' : selection.view
  refill(
    nav,
    element('h2', {}, 'Databases'),
    databases.length === 0 ? element('p', { class: 'muted' }, 'There are none.') : null,
    element(
      'ul',
      {},
      databases.map(({ id, containers }) =>
        element(
          'li',
          {},
          element('span', { class: 'database' }, isolated(id)),
          element(
            'ul',
            {},
            containers.map((container) => {
              const name = { database: id, container: container.id }
              const isChosen = selection.container?.database === id && selection.container.container === container.id
              return element('li', {}, link(hrefOf({ view, container: name }), isChosen, container.id))
            }),
            containers.length === 0 ? element('li', { class: 'muted' }, 'no containers') : null
          )
        )
      )
    ),
    element('h2', {}, 'Emulator'),
    element(
      'ul',
      {},
      element('li', {}, link('#faults', selection.view === 'faults', 'Faults')),
      element('li', {}, link('#controls', selection.view === 'controls', 'Throttling and clock')),
      element('li', {}, link('#new', selection.view === 'new', 'New container'))
    )
  )
}

function link(href: string, isCurrent: boolean, text: string): Content {
  return element(
    'a',
    { href, 'aria-current': isCurrent ? 'page' : undefined },
    isolated(text),
    element('span', { class: 'count' })
  )
}
