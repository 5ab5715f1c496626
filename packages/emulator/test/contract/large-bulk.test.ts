import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bulkHeaders, openWire, QUERY, type Wire } from './wire.ts'

// the bodies of these requests are long enough to be kept as they are
const REQUESTS = 40
const TEXTS = ['x'.repeat(800), 'y'.repeat(3000), 'ä'.repeat(500), '語𝒳'.repeat(200), '', '\\"\u0001'.repeat(100)]
const NEW_TYPES = ['Create', 'Upsert']
const TYPES = [...NEW_TYPES, 'Replace', 'Delete', 'Read', 'Patch']

type Item = Record<string, unknown> & { readonly id: string; readonly pk: string }
type Choose = <Value>(values: readonly Value[]) => Value

interface Operation {
  readonly operationType: string
  readonly partitionKey: string
  readonly id?: string
  readonly resourceBody?: object
}

interface PatchBody {
  readonly operations: readonly { readonly op: string; readonly path: string; readonly value: number }[]
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 0x1_0000_0000
  }
}

function makeOperation(pick: Choose, types: readonly string[], n: number): Operation {
  const operationType = pick(types)
  const id = `i${pick([...Array(40).keys()])}`
  const pk = pick(['a', 'b', 'ö'])
  const partitionKey = JSON.stringify([pk])
  if (operationType === 'Delete' || operationType === 'Read') return { operationType, partitionKey, id }
  if (operationType === 'Patch') {
    const resourceBody = { operations: [{ op: 'set', path: '/patched', value: n }] }
    return { operationType, partitionKey, id, resourceBody }
  }
  const named = operationType === 'Replace' ? { id } : {}
  return { operationType, partitionKey, ...named, resourceBody: { id, pk, n, text: pick(TEXTS) } }
}

/** Applies an operation to a model, and returns the status that the emulator must answer. */
function apply(model: Map<string, Item>, { operationType, partitionKey, id, resourceBody }: Operation): number {
  const name = `${partitionKey} ${id ?? (resourceBody as Item).id}`
  const known = model.get(name)
  if (operationType === 'Create' && known !== undefined) return 409
  if (operationType !== 'Create' && operationType !== 'Upsert' && known === undefined) return 404
  if (operationType === 'Delete') model.delete(name)
  else if (operationType === 'Patch')
    model.set(name, { ...known!, patched: (resourceBody as PatchBody).operations[0].value })
  else if (operationType !== 'Read') model.set(name, resourceBody as Item)
  if (operationType === 'Delete') return 204
  return known === undefined ? 201 : 200
}

async function expectItems(wire: Wire, docs: string, model: ReadonlyMap<string, Item>): Promise<void> {
  const headers = { ...QUERY, 'x-ms-max-item-count': '-1' }
  const { body } = await wire.call('POST', docs, { headers, body: { query: 'SELECT * FROM c' } })
  const found = (body.Documents as Item[]).map(({ _rid, _self, _etag, _attachments, _ts, ...own }) => own as Item)
  const byName = (items: Iterable<Item>): Item[] =>
    [...items].toSorted((a, b) => (`${a.pk} ${a.id}` < `${b.pk} ${b.id}` ? -1 : 1))
  expect(byName(found)).toEqual(byName(model.values()))
}

it.each([1, 2, 3])('large bulk requests store what they say, also after a restart (seed %i)', async (seed) => {
  const random = seeded(seed)
  const pick: Choose = (values) => values[Math.floor(random() * values.length)]
  const data = await mkdtemp(join(tmpdir(), 'keystamp-large-bulk-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  const open = (): Promise<Wire> => openWire({ ranges: 1, throttle: false, data })
  const wire = await open()
  const docs = `${await wire.container()}/docs`
  const model = new Map<string, Item>()
  for (let request = 0; request < REQUESTS; request++) {
    // with other operations in it, a request is read in another way
    const types = pick([NEW_TYPES, NEW_TYPES, TYPES])
    const operations = Array.from({ length: pick([20, 60, 100]) }, (_, n) => makeOperation(pick, types, request + n))
    const headers = bulkHeaders('0', { 'x-ms-cosmos-batch-continue-on-error': 'true' })
    const { body } = await wire.call('POST', docs, { headers, body: operations })

    expect((body as { statusCode: number }[]).map(({ statusCode }) => statusCode)).toEqual(
      operations.map((operation) => apply(model, operation))
    )
    if (request % 10 === 9) await expectItems(wire, docs, model)
    if (request % 4 === 3) {
      for (const [name, { pk, id }] of [...model].slice(0, 12)) {
        await wire.call('DELETE', `${docs}/${id}`, { key: [pk] })
        model.delete(name)
      }
    }
  }
  await expectItems(wire, docs, model)
  await wire.emulator!.stop()

  const again = await open()
  onTestFinished(() => again.emulator!.stop())
  await expectItems(again, docs, model)
})
