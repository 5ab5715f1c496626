import type { FaultAction, FaultRule } from '../../fault/fault-rule.ts'
import type { ActiveFault } from '../../fault/faults.ts'
import { KIND_GROUPS, REQUEST_KINDS } from '../../fault/request-kind.ts'
import type { LiveReport } from '../live-report.ts'
import { element, field, isolated, refill, setText, table } from './element.ts'
import { countText } from './format.ts'
import { refusalText, send } from './request.ts'
import type { View } from './view.ts'

const KINDS: readonly (readonly [kind: FaultAction['kind'], text: string, inputs: readonly Input[]])[] = [
  ['status', 'answer with a status; apply nothing', ['status', 'subStatus', 'retryAfterMs']],
  ['delay', 'wait, then serve', ['ms']],
  ['reset', 'reset the connection; apply nothing', []],
  ['applyThenDrop', 'apply, then reset the connection', []],
  ['applyThenStatus', 'apply, then answer with a status', ['status', 'subStatus', 'retryAfterMs']],
  ['applyThenDelay', 'apply, then wait before the answer', ['ms']],
  ['shortAnswer', 'leave out the last results of a bulk or batch request', ['missing']],
  ['emptyBody', 'answer without a body', ['status']],
  ['htmlBody', 'answer with HTML, as a proxy does', ['status']],
  ['clockSkew', 'shift the date of the answer', ['ms']]
]

const INPUTS = {
  status: ['Status', 503],
  subStatus: ['Sub-status', undefined],
  retryAfterMs: ['Retry after (ms)', undefined],
  ms: ['Milliseconds', 1000],
  missing: ['Results to leave out', 1]
} as const

type Input = keyof typeof INPUTS

/** Injected faults: list, add and remove. */
export function faultsView(first: LiveReport, refresh: () => void): View {
  const list = element('div', {})
  const result = element('p', { class: 'result', role: 'status' })
  const on = element(
    'select',
    {},
    [
      ...Object.keys(KIND_GROUPS),
      'bulkOperation',
      ...REQUEST_KINDS.filter((kind) => !Object.hasOwn(KIND_GROUPS, kind))
    ].map((name) => element('option', {}, name))
  )
  on.value = 'write'
  const kind = element(
    'select',
    { change: () => showInputs() },
    KINDS.map(([name, text]) => element('option', { value: name }, `${name}: ${text}`))
  )
  const where = element('select', {}, element('option', { value: '' }, 'any'), containersOf(first))
  const range = element('input', { type: 'text', autocomplete: 'off', class: 'short' })
  const limits = {
    count: numberInput(undefined),
    after: numberInput(undefined),
    probability: element('input', { type: 'number', min: 0, max: 1, step: 'any', class: 'short' })
  }
  const inputs = Object.fromEntries(
    Object.entries(INPUTS).map(([name, [, value]]) => [name, numberInput(value)])
  ) as Record<Input, HTMLInputElement>
  const fields = Object.fromEntries(
    Object.entries(INPUTS).map(([name, [label]]) => [name, field(label, inputs[name as Input])])
  ) as Record<Input, HTMLElement>

  function showInputs(): void {
    const wanted = inputsOf(kind.value)
    for (const name of Object.keys(INPUTS) as Input[]) fields[name].hidden = !wanted.includes(name)
  }

  async function add(event: Event): Promise<void> {
    event.preventDefault()
    const [database, container] =
      where.value === '' ? [undefined, undefined] : (JSON.parse(where.value) as [string, string])
    const action = { kind: kind.value, ...valuesOf(inputs, inputsOf(kind.value)) } as unknown as FaultAction
    const rule: FaultRule = {
      on: on.value,
      ...(database === undefined || container === undefined ? {} : { database, container }),
      ...(range.value === '' ? {} : { range: range.value }),
      ...valuesOf(limits, ['count', 'after', 'probability']),
      action
    }
    await act(() => send('POST', 'control/faults', { body: JSON.stringify(rule) }), 'The fault is active.')
  }

  async function act(run: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await run()
      setText(result, done)
    } catch (error) {
      setText(result, refusalText(error))
    }
    await show()
    refresh()
  }

  let shown = ''
  async function show(): Promise<void> {
    const { text } = await send('GET', 'control/faults')
    if (text === shown) return
    shown = text
    const faults = JSON.parse(text) as readonly ActiveFault[]
    refill(list, faults.length === 0 ? element('p', { class: 'muted' }, 'There are no faults.') : tableOf(faults))
  }

  function tableOf(faults: readonly ActiveFault[]): HTMLElement {
    const rows = faults.map(({ id, rule, matched, applied }) => {
      const { action, ...filter } = rule
      return [
        id,
        element('code', {}, isolated(textOf(filter))),
        element('code', {}, isolated(textOf(action))),
        countText(matched),
        countText(applied),
        element(
          'button',
          {
            type: 'button',
            'aria-label': `Remove fault ${id}`,
            click: () =>
              act(() => send('DELETE', `control/faults/${encodeURIComponent(id)}`), `Fault ${id} is removed.`)
          },
          'Remove'
        )
      ]
    })
    return table('Faults', ['Fault', 'Requests', 'Action', 'Matched', 'Applied', ''], rows, [3, 4])
  }

  showInputs()
  return {
    element: element(
      'div',
      {},
      element('h2', {}, 'Faults'),
      element(
        'p',
        { class: 'lead' },
        'The oldest fault that matches a request applies. Requests of this page are ordinary requests, so faults apply to them, too.'
      ),
      list,
      result,
      element('h3', {}, 'Add a fault'),
      element(
        'form',
        { submit: add },
        element(
          'div',
          { class: 'row' },
          field('Requests', on),
          field('Container', where),
          field('Physical partition', range, 'any')
        ),
        element('div', { class: 'row' }, field('Action', kind), Object.values(fields)),
        element(
          'div',
          { class: 'row' },
          field('At most', limits.count, 'requests'),
          field('After', limits.after, 'requests pass'),
          field('Probability', limits.probability, '0 to 1'),
          element('button', { class: 'primary' }, 'Add')
        )
      )
    ),
    update: () => void show().catch(() => undefined)
  }
}

function inputsOf(kind: string): readonly Input[] {
  return KINDS.find(([name]) => name === kind)?.[2] ?? []
}

function containersOf({ databases }: LiveReport): HTMLElement[] {
  return databases.flatMap((database) =>
    database.containers.map((container) =>
      element('option', { value: JSON.stringify([database.id, container.id]) }, `${database.id} / ${container.id}`)
    )
  )
}

function numberInput(value: number | undefined): HTMLInputElement {
  return element('input', { type: 'number', step: 1, class: 'short', value })
}

function valuesOf<Name extends string>(
  inputs: Readonly<Record<Name, HTMLInputElement>>,
  names: readonly Name[]
): Partial<Record<Name, number>> {
  return Object.fromEntries(
    names.flatMap((name) => (inputs[name].value === '' ? [] : [[name, Number(inputs[name].value)]]))
  ) as Partial<Record<Name, number>>
}

function textOf(value: object): string {
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${typeof each === 'string' ? each : JSON.stringify(each)}`)
    .join(', ')
}
