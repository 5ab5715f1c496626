import type { Container } from '@azure/cosmos'
import { ownerOf, partitionHash } from '@keystamp/core'
import type { Operation, Writer } from '@keystamp/cosmos'

export interface Keyed {
  readonly deviceId: string
}

/** The client's own bulk call, all records at once. */
export function byBulkCall(container: Container, records: readonly Keyed[]): () => Promise<unknown> {
  const operations = toOperations(records)
  return () => container.items.executeBulkOperations(operations as never)
}

/** The client's lower call with what belongs to one range, 100 at a time. */
export async function byRange(container: Container, records: readonly Keyed[]): Promise<() => Promise<unknown>> {
  const { resources } = await container.readPartitionKeyRanges().fetchAll()
  const ranges = resources.map(({ id, minInclusive }) => ({ id, min: minInclusive })).toSorted((a, b) => (a.min < b.min ? -1 : 1))
  const groups = new Map<string, object[]>(ranges.map(({ id }) => [id, []]))
  for (const operation of toOperations(records)) {
    groups.get(ownerOf(ranges, partitionHash([operation.partitionKey], { version: 2 }))!.id)!.push(operation)
  }
  return () =>
    Promise.all(
      [...groups.values()].map(async (operations) => {
        for (let from = 0; from < operations.length; from += 100) await container.items.bulk(operations.slice(from, from + 100) as never)
      })
    )
}

function toOperations(records: readonly Keyed[]): readonly { readonly operationType: 'Upsert'; readonly partitionKey: string }[] {
  return records.map((record) => ({ operationType: 'Upsert', partitionKey: record.deviceId, resourceBody: record }))
}

/** The writer with a promise for each record. */
export async function byWrite(writer: Writer, operations: Iterable<Operation>): Promise<void> {
  for (const operation of operations) {
    void writer.write(operation)
    if (!writer.hasRoom()) await writer.room()
  }
  await writer.flush()
}

/** The writer with a call back for each record, as sinks use it. */
export async function bySubmit(writer: Writer, operations: Iterable<Operation>): Promise<void> {
  for (const operation of operations) {
    writer.submit(operation, assertWritten)
    if (!writer.hasRoom()) await writer.room()
  }
  await writer.flush()
}

function assertWritten(outcome: Parameters<Parameters<Writer['submit']>[1]>[0]): void {
  if (outcome instanceof Error || outcome.kind !== 'written') throw new Error('A record of the bench was not written.')
}
