import type { Container } from '@azure/cosmos'
import { ownerOf, partitionHash } from '@keystamp/core'
import type { Operation, Writer } from '@keystamp/cosmos'
import { useYardstick } from '../yardstick.ts'
import type { BenchContainer } from './bench-container.ts'

export interface Keyed {
  readonly deviceId: string
}

export type Way = 'bulk call' | 'by range' | 'write objects' | 'write bytes' | 'submit bytes' | 'yardstick'

type Write = () => Promise<unknown>

/**
 * Ways of writing all records. Each prepares its operations once, and returns a function that is measured: it writes
 * all records once.
 */
export const WAYS: Readonly<
  Record<Way, (target: BenchContainer, records: readonly Keyed[]) => Write | Promise<Write>>
> = {
  'bulk call': ({ container }, records) => byBulkCall(container, records),
  'by range': ({ container }, records) => byRange(container, records),
  'write objects': ({ writer }, records) => {
    const operations = toObjects(records)
    return () => byWrite(writer, operations)
  },
  'write bytes': ({ writer }, records) => {
    const operations = toJson(records)
    return () => byWrite(writer, operations)
  },
  'submit bytes': ({ writer }, records) => {
    const operations = toJson(records)
    return () => bySubmit(writer, operations)
  },
  // writes nothing: measures the speed of the machine at that moment
  yardstick: (_, records) => {
    const texts = records.map((record) => JSON.stringify(record))
    return async () => useYardstick(texts)
  }
}

/** `executeBulkOperations` of the official client, with all records in one call. */
function byBulkCall(container: Container, records: readonly Keyed[]): Write {
  const operations = toOperations(records)
  return () => container.items.executeBulkOperations(operations as never)
}

/** `items.bulk` of the official client, with up to 100 operations of one range in each call. */
async function byRange(container: Container, records: readonly Keyed[]): Promise<Write> {
  const { resources } = await container.readPartitionKeyRanges().fetchAll()
  const ranges = resources
    .map(({ id, minInclusive }) => ({ id, min: minInclusive }))
    .toSorted((a, b) => (a.min < b.min ? -1 : 1))
  const groups = new Map<string, object[]>(ranges.map(({ id }) => [id, []]))
  for (const operation of toOperations(records)) {
    groups.get(ownerOf(ranges, partitionHash([operation.partitionKey], { version: 2 }))!.id)!.push(operation)
  }
  return () =>
    Promise.all(
      [...groups.values()].map(async (operations) => {
        for (let from = 0; from < operations.length; from += 100)
          await container.items.bulk(operations.slice(from, from + 100) as never)
      })
    )
}

function toOperations(
  records: readonly Keyed[]
): readonly { readonly operationType: 'Upsert'; readonly partitionKey: string }[] {
  return records.map((record) => ({ operationType: 'Upsert', partitionKey: record.deviceId, resourceBody: record }))
}

function toObjects(records: readonly Keyed[]): readonly Operation[] {
  return records.map((record) => ({ kind: 'upsert', record }))
}

function toJson(records: readonly Keyed[]): readonly Operation[] {
  return records.map((record) => ({ kind: 'upsert', bytes: Buffer.from(JSON.stringify(record)) }))
}

/** The writer with a promise for each record. */
async function byWrite(writer: Writer, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) {
    void writer.write(operation)
    if (!writer.hasRoom()) await writer.room()
  }
  await writer.flush()
}

/** The writer with a callback for each record, as sinks use it. */
async function bySubmit(writer: Writer, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) {
    writer.submit(operation, assertWritten)
    if (!writer.hasRoom()) await writer.room()
  }
  await writer.flush()
}

function assertWritten(outcome: Parameters<Parameters<Writer['submit']>[1]>[0]): void {
  if (outcome instanceof Error || outcome.kind !== 'written') throw new Error('A record of the bench was not written.')
}
