import type { LiveReport } from '../live-report.ts'
import { element, field, setText } from './element.ts'
import { Refusal, refusalText, send } from './request.ts'
import { hrefOf } from './selection.ts'
import type { View } from './view.ts'

/** Form that creates a container, and its database if it does not exist. */
export function newContainerView({ databases }: LiveReport): View {
  const [database, container, paths] = [textInput(databases[0]?.id ?? ''), textInput(''), textInput('/partitionKey')]
  const mode = element(
    'select',
    {},
    element('option', { value: 'manual' }, 'manual'),
    element('option', { value: 'autoscale' }, 'autoscale')
  )
  const ruPerSecond = element('input', { type: 'number', min: 400, max: 1_000_000, step: 100, value: 400 })
  const result = element('p', { class: 'result', role: 'status' })

  async function create(event: Event): Promise<void> {
    event.preventDefault()
    const keys = paths.value.split(',').map((path) => path.trim())
    const definition = {
      id: container.value,
      partitionKey: { paths: keys, kind: keys.length === 1 ? 'Hash' : 'MultiHash', version: 2 }
    }
    try {
      await createDatabase(database.value)
      await send('POST', `data/dbs/${encodeURIComponent(database.value)}/colls`, {
        headers: throughputHeaders(mode.value, ruPerSecond.value),
        body: JSON.stringify(definition)
      })
      location.hash = hrefOf({ view: 'load', container: { database: database.value, container: container.value } })
    } catch (error) {
      setText(result, refusalText(error))
    }
  }

  return {
    element: element(
      'div',
      {},
      element('h2', {}, 'New container'),
      databases.length > 0
        ? null
        : element(
            'p',
            { class: 'lead' },
            'The emulator has no container yet. Create one here, with an SDK, or at the start with --container.'
          ),
      element(
        'form',
        { submit: create },
        element('div', { class: 'row' }, field('Database', database), field('Container', container)),
        element(
          'div',
          { class: 'row' },
          field('Partition key', paths, 'hierarchical: /tenant,/day'),
          field('Throughput', mode),
          field('RU/s', ruPerSecond, 'the maximum of autoscale'),
          element('button', { class: 'primary' }, 'Create')
        )
      ),
      result
    ),
    update: () => undefined
  }
}

function textInput(value: string): HTMLInputElement {
  return element('input', { type: 'text', required: true, autocomplete: 'off', spellcheck: 'false', value })
}

async function createDatabase(id: string): Promise<void> {
  try {
    await send('POST', 'data/dbs', { body: JSON.stringify({ id }) })
  } catch (error) {
    // the database may exist
    if (!(error instanceof Refusal && error.status === 409)) throw error
  }
}

function throughputHeaders(mode: string, ruPerSecond: string): Record<string, string> {
  return mode === 'manual'
    ? { 'x-ms-offer-throughput': ruPerSecond }
    : { 'x-ms-cosmos-offer-autopilot-settings': JSON.stringify({ maxThroughput: Number(ruPerSecond) }) }
}
