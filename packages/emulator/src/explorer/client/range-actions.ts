import type { LiveContainer } from '../live-report.ts'
import { element, setText } from './element.ts'
import type { LoadHistory } from './load-history.ts'
import { type ContainerName, refusalText, send } from './request.ts'

/** Buttons that split and merge physical partitions. */
export interface RangeActions {
  readonly element: HTMLElement
  /** Shows the buttons for a chosen range. */
  readonly update: (history: LoadHistory, chosen: number | undefined, live?: LiveContainer) => void
  readonly run: (verb: 'split' | 'merge', range: string) => Promise<void>
}

/** Creates the buttons for the range that is chosen in the picture. */
export function rangeActions(container: ContainerName, refresh: () => void): RangeActions {
  const hold = element('input', { type: 'checkbox' })
  const result = element('p', { class: 'result', role: 'status' })
  let range: string | undefined
  const split = element('button', { type: 'button', click: () => range !== undefined && run('split', range) }, 'Split')
  const merge = element('button', { type: 'button', click: () => range !== undefined && run('merge', range) }, 'Merge')
  const complete = element('button', { type: 'button', hidden: true, click: () => finish() }, 'Complete the held moves')
  const path = `control/databases/${encodeURIComponent(container.database)}/containers/${encodeURIComponent(container.container)}/ranges`

  async function run(verb: 'split' | 'merge', id: string): Promise<void> {
    try {
      const { text } = await send('POST', `${path}/${encodeURIComponent(id)}/${verb}`, {
        body: JSON.stringify({ hold: hold.checked })
      })
      const { children } = JSON.parse(text) as { children?: readonly string[] }
      setText(
        result,
        children === undefined
          ? `Physical partition ${id}: the ${verb} is held, and requests to it get 410/1007.`
          : `Physical partition ${id}: the ${verb} is complete, new: ${children.join(' and ')}.`
      )
    } catch (error) {
      setText(result, refusalText(error))
    }
    refresh()
  }

  async function finish(): Promise<void> {
    try {
      await send('POST', `${path}/complete`)
      setText(result, 'The held moves are complete.')
    } catch (error) {
      setText(result, refusalText(error))
    }
    refresh()
  }

  function update(history: LoadHistory, chosen: number | undefined, live?: LiveContainer): void {
    range = chosen === undefined ? undefined : history.live[chosen].range.id
    split.disabled = range === undefined
    merge.disabled = range === undefined || history.live.length < 2
    setText(split, range === undefined ? 'Split' : `Split ${range}`)
    setText(merge, range === undefined ? 'Merge' : `Merge ${range} with its neighbor`)
    if (live !== undefined) complete.hidden = live.phases.every((phase) => phase === 'online')
  }

  return {
    element: element(
      'div',
      { class: 'actions' },
      split,
      merge,
      element('label', { class: 'inline' }, hold, ' hold: answer 410/1007 until completed'),
      complete,
      result
    ),
    update,
    run
  }
}
