import type { LiveContainer } from '../live-report.ts'
import { containerHeader } from './container-header.ts'
import { element, field, fill, isolated, setText, table } from './element.ts'
import { countedText, countText, durationText, retriesText } from './format.ts'
import { indented } from './json-text.ts'
import { keyFields } from './key-fields.ts'
import type { LoadHistory } from './load-history.ts'
import { type ContainerName, refusalText } from './request.ts'
import { type QueryInput, runQuery, type RunningQuery, touchedRanges } from './run-query.ts'
import type { View } from './view.ts'

const SHOWN_CHARACTERS = 300
/** Characters up to which long lines are wrapped. */
const MAX_WRAPPED = 50_000
/** Rows after which the first run stops; the rest is read on demand. */
const FIRST_ROWS = 100

/** A query, its rows, and its cost. */
export function queryView(container: ContainerName, { keyPaths }: LiveContainer, history: LoadHistory): View {
  const text = element('textarea', {
    class: 'code',
    rows: 3,
    spellcheck: 'false',
    keydown: (event) => press(event as KeyboardEvent)
  })
  text.value = 'SELECT * FROM c'
  const parameters = element('input', { type: 'text', class: 'code', spellcheck: 'false', autocomplete: 'off' })
  const pageItems = element('input', { type: 'number', min: 1, max: 1000, value: 100 })
  const key = keyFields(keyPaths)
  const problem = element('p', { class: 'result', role: 'status' })
  const facts = element('dl', { class: 'tiles', hidden: true })
  const note = element('p', { class: 'lead', hidden: true })
  const rows = element('ol', { class: 'rows' })
  const run = element('button', { class: 'primary' }, 'Run')
  const more = element('button', { type: 'button', hidden: true, click: () => read(1) }, 'Next page')
  const shares = element(
    'details',
    { hidden: true, toggle: () => showShares() },
    element('summary', {}, 'Charge by physical partition'),
    element('div', {})
  )
  let running: RunningQuery | undefined
  let count = 0

  function press(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void begin(event)
  }

  /** Starts the query of the form; a running one is abandoned after its current page. */
  async function begin(event: Event): Promise<void> {
    event.preventDefault()
    rows.replaceChildren()
    count = 0
    for (const each of [facts, note, more, shares]) each.hidden = true
    setText(problem, '')
    try {
      running = await runQuery(container, inputOf(), history)
      await read(FIRST_ROWS)
    } catch (error) {
      running = undefined
      setText(problem, refusalText(error))
    }
  }

  function inputOf(): QueryInput {
    return {
      text: text.value,
      parameters: parametersOf(parameters.value),
      keyHeader: key.header(),
      pageItems: Number(pageItems.value) || 100
    }
  }

  /** Reads pages until there are this many more rows, or the query is done. */
  async function read(wanted: number): Promise<void> {
    const query = running
    if (query === undefined) return
    run.disabled = true
    more.disabled = true
    try {
      await readUntil(query, count + wanted)
      setText(problem, query.isDone && count === 0 ? 'The query has no rows.' : '')
    } catch (error) {
      setText(problem, refusalText(error))
    }
    run.disabled = false
    more.disabled = false
    more.hidden = query.isDone
  }

  async function readUntil(query: RunningQuery, end: number): Promise<void> {
    if (query.isDone || count >= end) return
    const page = await query.next()
    // another query was started in the meantime
    if (query !== running) return
    count += page.length
    rows.append(...page.map(rowOf))
    showFacts(query)
    await readUntil(query, end)
  }

  function showFacts(query: RunningQuery): void {
    const charge = query.shares.reduce((sum, each) => sum + each.chargeRu, 0)
    const pages = query.shares.reduce((sum, each) => sum + each.pages, 0)
    const values = [
      ['Charge', `${countText(charge)} RU`],
      ['Physical partitions', `${countText(touchedRanges(query.shares).size)} of ${countText(history.live.length)}`],
      ['Pages', countText(pages)],
      ['Rows', `${countText(count)}${query.isDone ? '' : ' so far'}`],
      ['Time', `${durationText(query.ms)}${retriesText(query.retries)}`]
    ] as const
    fill(
      facts,
      values.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)))
    )
    facts.hidden = false
    shares.hidden = false
    note.hidden = !query.isMerged
    setText(
      note,
      `The emulator has merged the rows of ${countedText(touchedRanges(query.shares).size, 'physical partition')} itself, in pages that read them all. An SDK sends requests to each physical partition, so it is charged for more pages.`
    )
    if (shares.open) showShares()
  }

  function showShares(): void {
    if (running === undefined) return
    const lines = running.shares.map((each) => [
      each.ranges,
      countText(each.pages),
      countText(each.rows),
      countText(each.chargeRu)
    ])
    fill(
      shares.lastElementChild!,
      table('Charge by physical partition', ['Physical partition', 'Pages', 'Rows', 'RU'], lines, [1, 2, 3])
    )
  }

  return {
    element: element(
      'div',
      {},
      containerHeader(container, 'query'),
      element(
        'form',
        { submit: begin },
        field('Query', text, 'Ctrl+Enter runs it'),
        element(
          'div',
          { class: 'row' },
          field('Parameters', parameters, 'JSON: {"@id": "1"}'),
          key.elements,
          field('Items in a page', pageItems),
          run
        )
      ),
      problem,
      facts,
      note,
      shares,
      rows,
      element('div', { class: 'actions' }, more)
    ),
    update: () => undefined
  }
}

/** A row as one line of text, which opens to the whole row with one property in a line. */
function rowOf(json: string): HTMLElement {
  // browsers take seconds to break a line of a megabyte
  const body = element('pre', { class: json.length > MAX_WRAPPED ? 'unwrapped' : '' })
  const line = json.length > SHOWN_CHARACTERS ? `${json.slice(0, SHOWN_CHARACTERS)}…` : json
  const details: HTMLDetailsElement = element(
    'details',
    {
      // a row may have two megabytes: formatted on demand
      toggle: () => fill(body, isolated(details.open ? indented(json) : ''))
    },
    element('summary', {}, element('code', {}, isolated(line))),
    body
  )
  return element('li', {}, details)
}

function parametersOf(text: string): QueryInput['parameters'] {
  if (text.trim() === '') return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The parameters must be a JSON object, such as {"@id": "1"}.')
  return Object.entries(value).map(([name, each]) => ({ name, value: each as unknown }))
}
