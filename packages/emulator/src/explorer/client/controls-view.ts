import type { ThrottleOptions } from '../../charge/throttle-options.ts'
import { confirmedButton, element, field, setText } from './element.ts'
import { dateText, durationText } from './format.ts'
import { refusalText, send } from './request.ts'
import type { View } from './view.ts'

const STEPS = [
  [1000, '1 second'],
  [60_000, '1 minute'],
  [3_600_000, '1 hour'],
  [86_400_000, '1 day']
] as const

/** Throttling, the emulator's clock, and the button that drops all data. */
export function controlsView(refresh: () => void): View {
  const result = element('p', { class: 'result', role: 'status' })
  const state = element('p', {})
  const clock = element('p', {})
  const options = element('textarea', { class: 'code', rows: 3, spellcheck: 'false', input: () => (isEdited = true) })
  const toggle = element('input', { type: 'checkbox', role: 'switch', change: () => change() })
  let isEdited = false
  let last: ThrottleOptions | null = null

  function change(): Promise<void> {
    return act(toggle.checked ? 'Throttling is on.' : 'Throttling is off.', () =>
      // the options stay in the text while throttling is off
      send('PUT', 'control/throttle', { body: toggle.checked ? options.value.trim() || 'true' : 'false' })
    )
  }

  function apply(event: Event): Promise<void> {
    event.preventDefault()
    isEdited = false
    return act('Throttling is on with these options.', () =>
      send('PUT', 'control/throttle', { body: options.value.trim() || 'true' })
    )
  }

  function advance(ms: number): Promise<void> {
    return act(`The clock is ${durationText(ms)} further.`, () =>
      send('POST', 'control/clock', { body: JSON.stringify({ advanceMs: ms }) })
    )
  }

  async function act(done: string, run: () => Promise<unknown>): Promise<void> {
    try {
      await run()
      setText(result, done)
    } catch (error) {
      setText(result, refusalText(error))
    }
    refresh()
  }

  return {
    element: element(
      'div',
      {},
      element('h2', {}, 'Throttling and clock'),
      result,
      element('h3', {}, 'Throttling'),
      element(
        'label',
        { class: 'switch' },
        toggle,
        ' Refuse operations beyond the budget of a physical partition with 429'
      ),
      state,
      element(
        'form',
        { class: 'row', submit: apply },
        field('Options', options, 'JSON, such as {"window": "token-bucket", "retryAfter": {"fixedMs": 20}}'),
        element('button', {}, 'Apply options')
      ),
      element('h3', {}, 'Clock'),
      clock,
      element(
        'p',
        { class: 'lead' },
        'Time to live, budgets and timestamps use this clock; signatures use the clock of the machine.'
      ),
      element(
        'div',
        { class: 'actions' },
        STEPS.map(([ms, text]) => element('button', { type: 'button', click: () => advance(ms) }, `Advance ${text}`))
      ),
      element('h3', {}, 'Data'),
      element(
        'div',
        { class: 'actions' },
        confirmedButton('Drop all data', 'Press again to drop all databases, faults and logged writes', () =>
          act('All data is dropped.', () => send('POST', 'control/reset'))
        )
      )
    ),
    update: ({ throttle, nowMs, aheadMs }) => {
      toggle.checked = throttle !== null
      if (throttle !== null) last = throttle
      if (!isEdited && last !== null) options.value = Object.keys(last).length === 0 ? '' : JSON.stringify(last)
      setText(state, throttle === null ? 'Throttling is off: every operation is served.' : 'Throttling is on.')
      const ahead =
        Math.abs(aheadMs) < 1
          ? 'the same as the clock of the machine'
          : `${durationText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of the machine`
      setText(clock, `${dateText(nowMs)} UTC, ${ahead}.`)
    }
  }
}
