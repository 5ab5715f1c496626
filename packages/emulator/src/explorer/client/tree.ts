import type { LiveReport } from '../live-report.ts'
import { type Content, element, fill, isolated } from './element.ts'
import { countText } from './format.ts'
import { hrefOf, type Selection } from './selection.ts'

/** Draws databases and their containers as links, and below them the views of the emulator itself. */
export function drawTree(nav: HTMLElement, { databases, faults }: LiveReport, selection: Selection): void {
  const view = selection.container === undefined ? 'load' : selection.view
  fill(
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
              return element(
                'li',
                {},
                link(hrefOf({ view, container: name }), isChosen, container.id, countText(container.items))
              )
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
      element('li', {}, link('#faults', selection.view === 'faults', 'Faults', faults === 0 ? '' : countText(faults))),
      element('li', {}, link('#controls', selection.view === 'controls', 'Throttling and clock', '')),
      element('li', {}, link('#new', selection.view === 'new', 'New container', ''))
    )
  )
}

function link(href: string, isCurrent: boolean, text: string, count: string): Content {
  return element(
    'a',
    { href, 'aria-current': isCurrent ? 'page' : undefined },
    isolated(text),
    count === '' ? null : element('span', { class: 'count' }, count)
  )
}
