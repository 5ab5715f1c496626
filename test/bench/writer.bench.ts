import { CosmosClient, type Container, PartitionKeyKind } from '@azure/cosmos'
import { ownerOf, partitionHash } from '@keystamp/core'
import { createWriter, type Writer } from '@keystamp/cosmos'
import { type EmulatorProcess, startEmulatorProcess } from '@keystamp/emulator'
import { createTelemetry } from '@keystamp/lab'

export const question = 'What does writing cost beside the ways of the official client?'

const RECORDS = 10_000
const ROUNDS = 5
const LATENCY_MS = 5

interface Sample {
  readonly cpuMicros: number
  readonly ms: number
}

interface Contestant {
  readonly name: string
  readonly run: () => Promise<unknown>
  readonly samples: Sample[]
}

/** 1 KB upserts against an emulator in another process, so that only the client's own time counts. */
export async function run(report: (line: string) => void): Promise<void> {
  const emulator = await startEmulatorProcess({ ranges: 4, ruPerSecond: 40_000, throttle: false, latencyMs: LATENCY_MS, operationLog: 0 })
  const client = connect(emulator)
  try {
    const container = await createContainer(client)
    const { endpoint, key } = emulator
    const writer = await createWriter({ endpoint, key, database: 'bench', container: 'records', share: 10_000_000 })
    try {
      await compareCost(container, writer, report)
      await compareFlushes(container, writer, report)
      await compareLoneRecords(container, writer, report)
    } finally {
      await writer.close()
    }
  } finally {
    client.dispose()
    await emulator.stop()
  }
}

async function compareCost(container: Container, writer: Writer, report: (line: string) => void): Promise<void> {
  const { big } = createTelemetry(1)
  const records = Array.from({ length: RECORDS }, big)
  const bytes = records.map((record) => Buffer.from(JSON.stringify(record)))
  const operations = records.map((record) => ({ operationType: 'Upsert' as const, partitionKey: record.deviceId, resourceBody: record }))
  const grouped = await groupByRange(container, operations)
  const contestants: Contestant[] = [
    { name: 'executeBulkOperations, one call', run: () => container.items.executeBulkOperations(operations as never), samples: [] },
    { name: 'items.bulk by range, 100 a call', run: () => runBulk(container, grouped), samples: [] },
    {
      name: 'writer, objects',
      run: () =>
        writeAll(
          writer,
          records.map((record) => ({ kind: 'upsert', record }) as const)
        ),
      samples: []
    },
    {
      name: 'writer, JSON bytes',
      run: () =>
        writeAll(
          writer,
          bytes.map((one) => ({ kind: 'upsert', bytes: one }) as const)
        ),
      samples: []
    }
  ]
  await takeTurns(contestants, ROUNDS)
  report(`  ${RECORDS} upserts of 1 KB, 4 ranges, ${LATENCY_MS} ms latency; CPU of this process a record:`)
  const [first] = contestants.map(({ samples }) => median(samples.map(({ cpuMicros }) => cpuMicros)) / RECORDS)
  for (const { name, samples } of contestants) {
    const micros = median(samples.map(({ cpuMicros }) => cpuMicros)) / RECORDS
    const perSecond = RECORDS / (median(samples.map(({ ms }) => ms)) / 1000)
    report(
      `  ${name.padEnd(36)} ${micros.toFixed(1).padStart(6)} us   ${(first / micros).toFixed(1)}x less   ${Math.round(perSecond)} records/s`
    )
  }
}

async function compareFlushes(container: Container, writer: Writer, report: (line: string) => void): Promise<void> {
  const { big } = createTelemetry(2)
  const records = Array.from({ length: 500 }, big)
  const operations = records.map((record) => ({ operationType: 'Upsert' as const, partitionKey: record.deviceId, resourceBody: record }))
  const contestants: Contestant[] = [
    { name: 'executeBulkOperations', run: () => container.items.executeBulkOperations(operations as never), samples: [] },
    {
      name: 'writer and flush',
      run: () =>
        writeAll(
          writer,
          records.map((record) => ({ kind: 'upsert', record }) as const)
        ),
      samples: []
    }
  ]
  await takeTurns(contestants, 9)
  report('  500 records and a flush, one after another:')
  const [first] = contestants.map(({ samples }) => median(samples.map(({ ms }) => ms)))
  for (const { name, samples } of contestants) {
    const ms = median(samples.map((sample) => sample.ms))
    report(`  ${name.padEnd(36)} ${ms.toFixed(1).padStart(7)} ms   ${(first / ms).toFixed(1)}x sooner`)
  }
}

async function compareLoneRecords(container: Container, writer: Writer, report: (line: string) => void): Promise<void> {
  const { big } = createTelemetry(3)
  const records = Array.from({ length: 400 }, big)
  const bare: number[] = []
  const own: number[] = []
  for (const record of records) {
    bare.push(
      await timeOf(() => container.items.bulk([{ operationType: 'Upsert', partitionKey: record.deviceId, resourceBody: record } as never]))
    )
    own.push(await timeOf(() => writer.write({ kind: 'upsert', record })))
  }
  report('  A lone record:')
  report(`  ${'items.bulk of one'.padEnd(36)} median ${median(bare).toFixed(1)} ms, p99 ${quantile(bare, 0.99).toFixed(1)} ms`)
  report(`  ${'writer.write'.padEnd(36)} median ${median(own).toFixed(1)} ms, p99 ${quantile(own, 0.99).toFixed(1)} ms`)
}

async function writeAll(writer: Writer, operations: readonly Parameters<Writer['write']>[0][]): Promise<void> {
  for (const operation of operations) {
    void writer.write(operation)
    if (!writer.hasRoom()) await writer.room()
  }
  await writer.flush()
}

async function runBulk(container: Container, grouped: readonly (readonly object[])[]): Promise<void> {
  await Promise.all(
    grouped.map(async (operations) => {
      for (let from = 0; from < operations.length; from += 100) await container.items.bulk(operations.slice(from, from + 100) as never)
    })
  )
}

async function groupByRange<T extends { readonly partitionKey: string }>(
  container: Container,
  operations: readonly T[]
): Promise<readonly T[][]> {
  const { resources } = await container.readPartitionKeyRanges().fetchAll()
  const ranges = resources.map(({ id, minInclusive }) => ({ id, min: minInclusive })).toSorted((a, b) => (a.min < b.min ? -1 : 1))
  const groups = new Map<string, T[]>(ranges.map(({ id }) => [id, []]))
  for (const operation of operations)
    groups.get(ownerOf(ranges, partitionHash([operation.partitionKey], { version: 2 }))!.id)!.push(operation)
  return [...groups.values()]
}

async function takeTurns(contestants: readonly Contestant[], rounds: number): Promise<void> {
  for (let round = -1; round < rounds; round++) {
    for (const { run: runOnce, samples } of contestants) {
      const before = process.cpuUsage()
      const ms = await timeOf(runOnce)
      const { user, system } = process.cpuUsage(before)
      if (round >= 0) samples.push({ cpuMicros: user + system, ms })
    }
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

function connect({ endpoint, key }: EmulatorProcess): CosmosClient {
  return new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
}

async function createContainer(client: CosmosClient): Promise<Container> {
  const { database } = await client.databases.create({ id: 'bench' })
  const partitionKey = { paths: ['/deviceId'], kind: PartitionKeyKind.Hash, version: 2 }
  return (await database.containers.create({ id: 'records', partitionKey })).container
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]
}
