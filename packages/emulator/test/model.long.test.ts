/* oxlint-disable vitest/no-conditional-expect, vitest/expect-expect -- expectations depend on the model or the answer */
/* oxlint-disable unicorn/consistent-function-scoping -- helpers of a suite are next to its rows */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BATCH, bulkHeaders, openWire, QUERY, type Wire } from './contract/wire.ts'

// Compares the emulator with a very simple model, a map, after each step.

type Step = One | Several | Move

interface One {
  kind: 'create' | 'upsert' | 'replace' | 'rename' | 'delete' | 'read' | 'incr'
  key: string
  id: string
  /** The id after a rename. */
  to: string
  n: number
  guard: 'none' | 'right' | 'wrong'
}

interface Several {
  kind: 'bulk' | 'batch'
  key: string
  parts: { type: 'Create' | 'Upsert' | 'Replace' | 'Rename' | 'Delete' | 'Patch'; id: string; to: string; n: number }[]
}

interface Move {
  kind: 'split' | 'merge'
  at: number
}

interface Entry {
  n: number
  etag: string
}

type Model = Map<string, Entry>

const keys = ['a', 'b', 'c', 'd', 'e']
const ids = ['1', '2', '3']
const single = fc.record({
  kind: fc.constantFrom('create', 'upsert', 'replace', 'rename', 'delete', 'read', 'incr'),
  key: fc.constantFrom(...keys),
  id: fc.constantFrom(...ids),
  to: fc.constantFrom(...ids),
  n: fc.integer({ min: 0, max: 99 }),
  guard: fc.constantFrom('none', 'none', 'right', 'wrong')
})
const several = fc.record({
  kind: fc.constantFrom('bulk', 'batch'),
  key: fc.constantFrom(...keys),
  parts: fc.array(
    fc.record({
      type: fc.constantFrom('Create', 'Upsert', 'Replace', 'Rename', 'Delete', 'Patch'),
      id: fc.constantFrom(...ids),
      to: fc.constantFrom(...ids),
      n: fc.integer({ min: 0, max: 99 })
    }),
    { minLength: 1, maxLength: 5 }
  )
})
const move = fc.record({ kind: fc.constantFrom('split', 'merge'), at: fc.nat(5) })
const steps = fc.array(
  fc.oneof({ weight: 6, arbitrary: single }, { weight: 3, arbitrary: several }, { weight: 1, arbitrary: move }),
  {
    maxLength: 25
  }
) as fc.Arbitrary<Step[]>

let wire: Wire
beforeAll(async () => {
  wire = await openWire({ crossPartition: 'serve' })
})
afterAll(() => wire.stop())

it('the emulator agrees with a map after every step, through splits and merges', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const path = await wire.container({}, { 'x-ms-offer-throughput': '12000' })
      const model: Model = new Map()
      let version: string | undefined
      for (const step of list) {
        if ('at' in step) await moveRanges(path, step)
        else if ('parts' in step) await runSeveral(path, model, step)
        else await runOne(path, model, step)
        version = await compare(path, model, version)
      }
      await wire.call('DELETE', path)
    }),
    { numRuns: 25 }
  )
})

async function runOne(path: string, model: Model, step: One): Promise<void> {
  const at = `${step.key}/${step.id}`
  const known = model.get(at)
  const headers: Record<string, string> = {}
  if (step.guard !== 'none') headers['if-match'] = step.guard === 'right' ? (known?.etag ?? '"x"') : '"wrong"'
  const isRefused = step.guard === 'wrong' && known !== undefined
  const body = { id: step.id, pk: step.key, n: step.n }
  const asked = { key: [step.key], headers }
  const item = `${path}/docs/${step.id}`
  switch (step.kind) {
    case 'create': {
      const answer = await wire.call('POST', `${path}/docs`, { ...asked, body })
      expect(answer.status).toBe(known === undefined ? 201 : 409)
      if (known === undefined) model.set(at, { n: step.n, etag: answer.body['_etag'] })
      return
    }
    case 'upsert': {
      const answer = await wire.call('POST', `${path}/docs`, {
        ...asked,
        headers: { ...headers, 'x-ms-documentdb-is-upsert': 'true' },
        body
      })
      expect(answer.status).toBe(isRefused ? 412 : known === undefined ? 201 : 200)
      if (!isRefused) model.set(at, { n: step.n, etag: answer.body['_etag'] })
      return
    }
    case 'rename': {
      const target = `${step.key}/${step.to}`
      const isTaken = target !== at && model.has(target)
      const answer = await wire.call('PUT', item, { ...asked, body: { ...body, id: step.to } })
      expect(answer.status).toBe(known === undefined ? 404 : isRefused ? 412 : isTaken ? 409 : 200)
      if (answer.status !== 200) return
      model.delete(at)
      model.set(target, { n: step.n, etag: answer.body['_etag'] })
      return
    }
    case 'replace':
    case 'incr': {
      const answer =
        step.kind === 'replace'
          ? await wire.call('PUT', item, { ...asked, body })
          : await wire.call('PATCH', item, { ...asked, body: [{ op: 'incr', path: '/n', value: step.n }] })
      expect(answer.status).toBe(known === undefined ? 404 : isRefused ? 412 : 200)
      if (known !== undefined && !isRefused) {
        model.set(at, { n: step.kind === 'replace' ? step.n : known.n + step.n, etag: answer.body['_etag'] })
      }
      return
    }
    case 'delete':
      expect((await wire.call('DELETE', item, asked)).status).toBe(known === undefined ? 404 : isRefused ? 412 : 204)
      if (!isRefused) model.delete(at)
      return
    case 'read':
      expect((await wire.call('GET', item, { key: [step.key] })).status).toBe(known === undefined ? 404 : 200)
  }
}

async function runSeveral(path: string, model: Model, step: Several): Promise<void> {
  const { key, parts } = step
  const operations = parts.map(({ type, id, to, n }) => {
    const document = { id: type === 'Rename' ? to : id, pk: key, n }
    return {
      operationType: type === 'Rename' ? 'Replace' : type,
      id,
      partitionKey: JSON.stringify([key]),
      ...(type === 'Delete'
        ? {}
        : { resourceBody: type === 'Patch' ? [{ op: 'set', path: '/n', value: n }] : document })
    }
  })
  const { headers: probed } = await wire.call('GET', `${path}/docs/probe`, { key: [key] })
  const range = probed.get('x-ms-documentdb-partitionkeyrangeid')!
  const answer = await wire.call('POST', `${path}/docs`, {
    ...(step.kind === 'batch' ? { key: [key], headers: BATCH } : { headers: bulkHeaders(range) }),
    body: operations
  })
  const draft: Model = new Map(model)
  const expected: number[] = []
  for (const [index, { type, id, to, n }] of parts.entries()) {
    const exists = draft.has(`${key}/${id}`)
    const target = type === 'Rename' ? to : id
    const isTaken = type === 'Rename' && exists && to !== id && draft.has(`${key}/${to}`)
    const status = isTaken
      ? 409
      : type === 'Create'
        ? exists
          ? 409
          : 201
        : type === 'Upsert'
          ? exists
            ? 200
            : 201
          : exists
            ? type === 'Delete'
              ? 204
              : 200
            : 404
    if (status < 400) {
      if (type === 'Delete' || type === 'Rename') draft.delete(`${key}/${id}`)
      if (type !== 'Delete') draft.set(`${key}/${target}`, { n, etag: answer.body[index]?.eTag })
    }
    expected.push(status)
    if (status >= 400 && step.kind === 'batch') {
      expect(answer.body.map((part: { statusCode: number }) => part.statusCode)).toEqual(
        parts.map((_, at) => (at === index ? status : 424))
      )
      return
    }
  }
  expect(answer.body.map((part: { statusCode: number }) => part.statusCode)).toEqual(expected)
  model.clear()
  for (const [at, entry] of draft) model.set(at, entry)
}

async function moveRanges(path: string, step: Move): Promise<void> {
  const { body } = await wire.call('GET', `${path}/pkranges`)
  const ranges: { id: string }[] = body.PartitionKeyRanges
  if (step.kind === 'merge' && ranges.length < 2) return
  await wire.emulator![step.kind](wire.database, path.split('/').at(-1)!, ranges[step.at % ranges.length].id)
}

/** Checks that feed, query, change feed and report agree with the model. Returns the last ETag of the change feed. */
async function compare(path: string, model: Model, version: string | undefined): Promise<string> {
  const shown = (documents: { pk: string; id: string; n: number; _etag: string }[]): string[] =>
    documents.map(({ pk, id, n, _etag }) => `${pk}/${id}=${n} ${_etag}`).toSorted()
  const wanted = [...model].map(([at, { n, etag }]) => `${at}=${n} ${etag}`).toSorted()
  const feed = await wire.call('GET', `${path}/docs`, { headers: { 'x-ms-max-item-count': '-1' } })
  expect(shown(feed.body.Documents)).toEqual(wanted)
  const query = await wire.call('POST', `${path}/docs`, {
    headers: QUERY,
    body: { query: 'SELECT * FROM c ORDER BY c.n' }
  })
  expect(shown(query.body.Documents)).toEqual(wanted)
  const all = await wire.call('GET', `${path}/docs`, {
    headers: { 'A-IM': 'Incremental feed', 'x-ms-max-item-count': '-1' }
  })
  expect(shown(all.body?.Documents ?? [])).toEqual(wanted)
  const news = await wire.call('GET', `${path}/docs`, {
    headers: { 'A-IM': 'Incremental feed', ...(version === undefined ? {} : { 'if-none-match': version }) }
  })
  for (const line of shown(news.body?.Documents ?? [])) expect(wanted).toContain(line)
  const report = wire.emulator!.report().containers.find(({ container }) => path.endsWith(`/${container}`))!
  expect(report.items).toBe(model.size)
  expect(report.ranges.reduce((sum, range) => sum + range.items, 0)).toBe(model.size)
  return news.headers.get('etag')!
}
