import { CosmosClient, PartitionKeyDefinitionVersion } from '@azure/cosmos'
import type { PlanDefinition } from '@keystamp/core'
import {
  createReader,
  createWriter,
  operationFor,
  type Outcome,
  type WriteCode,
  type Writer,
  type WriterOptions
} from '@keystamp/cosmos'
import { type Emulator, type EmulatorOptions, startEmulator, WELL_KNOWN_KEY } from '@keystamp/emulator'

const PLAN: PlanDefinition = { into: '/key', from: [{ field: '/device' }] }
const TARGET = { database: 'codes', container: 'items' }

type WriterOnEmulator = { readonly writer: Writer; readonly emulator: Emulator }

/** For every code of a rejected write: a write whose outcome has this code. */
export const WRITE_CODE_MAKERS: Readonly<Record<WriteCode, () => Promise<Outcome | undefined>>> = {
  OPERATION_INVALID: () =>
    withWriter(
      ({ writer }) =>
        new Promise((resolve) => {
          writer.submit({ kind: 'patch', id: 'a', key: 'a', steps: [] }, (outcome) => resolve(outcome as Outcome))
        })
    ),
  BEFORE_INVALID: () =>
    withWriter(({ writer }) =>
      writer.write({ kind: 'upsert', record: { id: 'a', device: 'a' }, before: { record: { id: 'a' } } })
    ),
  DOCUMENT_TOO_LARGE: () => withWriter(({ writer }) => create(writer, { text: 'a'.repeat(3 * 2 ** 20) })),
  ALREADY_EXISTS: () => withWriter(({ writer }) => twice(() => create(writer, {}))),
  UNIQUE_KEY_TAKEN: () =>
    withWriter(async ({ writer }) => {
      await create(writer, { id: 'a', serial: 1 })
      return create(writer, { id: 'b', serial: 1 })
    }),
  NOT_FOUND: () => withWriter(({ writer }) => writer.write({ kind: 'delete', id: 'nobody', key: 'a' })),
  PRECONDITION_FAILED: () =>
    withWriter(async ({ writer }) => {
      await create(writer, {})
      return writer.write({ kind: 'replace', record: { id: 'a', device: 'a' }, ifMatch: '"another"' })
    }),
  ETAG_MISSING: () =>
    withWriter(({ writer }) => writer.write(operationFor('deleteIfNotModified', { record: { id: 'a', device: 'a' } }))),
  ORDER_UNKNOWN: () =>
    withNewest(async (writer) => {
      await writer.upsert({ id: 'a', device: 'a', version: 1, text: 'one' })
      return writer.write({ kind: 'upsert', record: { id: 'a', device: 'a', version: 1, text: 'other' } })
    }),
  ORDER_MISSING: () =>
    withNewest((writer) => writer.write({ kind: 'upsert', record: { id: 'a', device: 'a', version: 'soon' } })),
  PARTITION_FULL: () =>
    withWriter(
      ({ writer }) => twice((turn) => create(writer, { id: String(turn), serial: turn, text: 'a'.repeat(600) })),
      {
        maxLogicalPartitionBytes: 1000
      }
    ),
  BATCH_FAILED: () =>
    withWriter(async ({ writer }) => {
      const outcomes = await writer.writeAtomic(
        ['a', 'b'].map((device) => ({ kind: 'create', record: { id: device, device } }))
      )
      return outcomes[0]
    }),
  OUTCOME_UNKNOWN: () =>
    withWriter(async ({ writer, emulator }) => {
      await create(writer, { count: 1 })
      emulator.faults.inject({ on: 'bulk', count: 1, action: { kind: 'applyThenDrop' } })
      return writer.write({ kind: 'patch', id: 'a', key: 'a', steps: [{ op: 'incr', path: '/count', value: 1 }] })
    }),
  COSMOS_REJECTED: () => withWriter(({ writer }) => create(writer, { ttl: 'soon' }))
}

/** For every code that a writer or a reader throws: a call that throws it. */
export const WRITER_ERROR_MAKERS = {
  OPERATION_INVALID: () => withWriter(({ writer }) => writer.write({ kind: 'patch', id: 'a', key: 'a', steps: [] })),
  COSMOS_UNAUTHORIZED: () => openWriter({ key: Buffer.from('another key').toString('base64') }),
  COSMOS_UNAVAILABLE: () =>
    createWriter({ ...TARGET, endpoint: 'http://127.0.0.1:1/', key: WELL_KNOWN_KEY, metadataTimeoutMs: 200 }),
  COSMOS_REFUSED: () =>
    onEmulator({}, ({ endpoint, key, faults }) => {
      faults.inject({ action: { kind: 'status', status: 400 } })
      return createWriter({ ...TARGET, endpoint, key })
    }),
  CONTAINER_MISSING: () => openWriter({ container: 'nowhere' }),
  CONTAINER_MISMATCH: () => openWriter({ plan: { into: '/another', from: [{ field: '/device' }] } }),
  READER_CLOSED: () => {
    const reader = createReader({ ...TARGET, endpoint: 'http://127.0.0.1:1/', key: WELL_KNOWN_KEY })
    reader.close()
    return reader.read({ key: 'a' })
  },
  WRITER_CLOSED: () =>
    withWriter(async ({ writer }) => {
      await writer.close()
      return create(writer, {})
    }),
  BUDGET_UNREACHABLE: () => openWriter({ sharedThrough: { redis: 'redis://127.0.0.1:1', name: 'codes' } })
} as const

function create(writer: Writer, more: object): Promise<Outcome> {
  return writer.write({ kind: 'create', record: { id: 'a', device: 'a', ...more } })
}

async function twice(run: (turn: number) => Promise<Outcome>): Promise<Outcome> {
  await run(1)
  return run(2)
}

function withWriter<T>(run: (bench: WriterOnEmulator) => Promise<T>, options: EmulatorOptions = {}): Promise<T> {
  return onEmulator(options, async (emulator) => {
    const writer = await createWriter({ ...TARGET, endpoint: emulator.endpoint, key: emulator.key, plan: PLAN })
    try {
      return await run({ writer, emulator })
    } finally {
      await writer.close()
    }
  })
}

function withNewest<T>(run: (writer: Writer) => Promise<T>): Promise<T> {
  return onEmulator({}, async ({ endpoint, key }) => {
    const client = new CosmosClient({
      endpoint,
      key,
      connectionPolicy: { enableBackgroundEndpointRefreshing: false }
    })
    await client.database(TARGET.database).containers.create({
      id: 'newest',
      partitionKey: { paths: ['/key'], version: PartitionKeyDefinitionVersion.V2 },
      defaultTtl: -1
    })
    client.dispose()
    const newest = { field: '/version', markerTtl: 60 }
    const writer = await createWriter({ ...TARGET, container: 'newest', endpoint, key, plan: PLAN, newest })
    try {
      return await run(writer)
    } finally {
      await writer.close()
    }
  })
}

function openWriter(options: Partial<WriterOptions>): Promise<unknown> {
  return onEmulator({}, ({ endpoint, key }) => createWriter({ ...TARGET, endpoint, key, ...options }))
}

async function onEmulator<T>(options: EmulatorOptions, run: (emulator: Emulator) => Promise<T>): Promise<T> {
  const emulator = await startEmulator(options)
  const client = new CosmosClient({
    endpoint: emulator.endpoint,
    key: emulator.key,
    connectionPolicy: { enableBackgroundEndpointRefreshing: false }
  })
  try {
    const { database } = await client.databases.create({ id: TARGET.database })
    await database.containers.create({
      id: TARGET.container,
      partitionKey: { paths: ['/key'], version: PartitionKeyDefinitionVersion.V2 },
      uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/serial'] }] }
    })
    return await run(emulator)
  } finally {
    client.dispose()
    await emulator.stop()
  }
}
