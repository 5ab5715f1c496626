import type { EmulatorReport } from '../../control/report.ts'
import { element, fill, isolated, table } from './element.ts'
import { countText } from './format.ts'
import { type ContainerName, refusalText, send } from './request.ts'

/**
 * The partition keys with the highest charges. They are read on demand: the emulator looks at every key to find them.
 */
export function hotKeys({ database, container }: ContainerName): HTMLElement {
  const body = element('div', {})
  const details: HTMLDetailsElement = element(
    'details',
    { toggle: () => (details.open ? show() : undefined) },
    element('summary', {}, 'Partition keys with the highest charges'),
    body,
    element('div', { class: 'actions' }, element('button', { type: 'button', click: () => show() }, 'Read again'))
  )

  async function show(): Promise<void> {
    try {
      const report = JSON.parse((await send('GET', 'control/report')).text) as EmulatorReport
      const found = report.containers.find((each) => each.database === database && each.container === container)
      const rows = (found?.hottestKeys ?? []).map(({ partitionKey, chargedRu }) => [
        element('code', {}, isolated(partitionKey)),
        countText(chargedRu)
      ])
      fill(body, table('Partition keys with the highest charges', ['Partition key', 'RU'], rows, [1]))
    } catch (error) {
      fill(body, element('p', { class: 'result' }, refusalText(error)))
    }
  }

  return details
}
