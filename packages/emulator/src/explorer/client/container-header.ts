import { element, isolated } from './element.ts'
import type { ContainerName } from './request.ts'
import { hrefOf, type Selection } from './selection.ts'

/** Name of the container, and links to its views. */
export function containerHeader(container: ContainerName, current: Selection['view']): HTMLElement {
  return element(
    'div',
    { class: 'container-header' },
    element(
      'h2',
      { id: 'container' },
      element('span', { class: 'muted' }, isolated(container.database), ' / '),
      isolated(container.container)
    ),
    element(
      'nav',
      { class: 'tabs', 'aria-label': 'Views of the container' },
      (['load', 'items', 'query'] as const).map((view) =>
        element(
          'a',
          { href: hrefOf({ view, container }), 'aria-current': view === current ? 'page' : undefined },
          NAMES[view]
        )
      )
    )
  )
}

const NAMES = { load: 'Load', items: 'Items', query: 'Query' } as const
