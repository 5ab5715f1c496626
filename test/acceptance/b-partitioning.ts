import { createPlan, ownerOf, partitionHash, PlanError, rangesOf } from '@keystamp/core'
import { COMPUTED_SUFFIX, DATE, DOCUMENT, JOINED, SOME_VIN, VIN } from './article-data.ts'
import { batchesByKey, changedKey, idAsKey, sameIdTwice } from './in-the-emulator.ts'
import { loadOf } from './load.ts'
import {
  costsOfId,
  dividedTransactions,
  enoughKeys,
  idProposed,
  loadByPartition,
  manyPartitions,
  neverAKey,
  queriesDecide,
  small
} from './planned.ts'
import { movedContainer } from './moved.ts'
import type { Row, Shown } from './row.ts'
import { idThroughASink } from './through-a-sink.ts'
import { atomicWrites, rehomedItem, sameIdWritten, writtenThroughSplit } from './written-and-read.ts'

/** The article on partitioning. */
export const PARTITIONING: readonly Row[] = [
  {
    id: 'B1',
    says: 'All items with the same key value form a logical partition: 1,000 user ids make 1,000 logical partitions.',
    keystamp:
      'Under a plan, different values give different keys; the planner counts the logical partitions and finds the largest one.',
    state: 'built',
    show: async () => [...(await thousandUsers()), ...(await enoughKeys())]
  },
  {
    id: 'B2',
    says: 'Key and id identify an item; an id is unique only inside its logical partition.',
    keystamp:
      'Key and id together identify a document everywhere: in plans, in the emulator, and where the writer keeps the operations on one document in order.',
    state: 'built',
    show: async () => [...(await sameIdTwice()), ...(await sameIdWritten())]
  },
  {
    id: 'B3',
    says: 'The service hashes the key; equal slices of the hash space go to physical partitions.',
    keystamp:
      'Keystamp computes the hash bit for bit, for containers of version 1, of version 2, and with hierarchical keys; the writer batches by range.',
    state: 'built',
    show: async () => [...(await hashed()), ...(await loadByPartition())]
  },
  {
    id: 'B4',
    says: 'Physical partitions are added as throughput and storage grow, and logical partitions move.',
    keystamp: 'The emulator splits physical partitions as the service does; the writer continues during splits.',
    state: 'built',
    show: writtenThroughSplit
  },
  {
    id: 'B5',
    says: 'A transaction works inside one logical partition only.',
    keystamp: 'Atomic batches have the same limit; the planner lists the transactions that a key would divide.',
    state: 'built',
    show: async () => [...(await batchesByKey()), ...(await atomicWrites()), ...(await dividedTransactions())]
  },
  {
    id: 'B6',
    says: 'To change the key, move the data to a new container.',
    keystamp:
      '`keystamp rekey` copies a container under a new plan, follows changes, compares, and switches with hooks.',
    state: 'built',
    show: movedContainer
  },
  {
    id: 'B7',
    says: 'The value of a partition key never changes in an item; the key has many different values; it spreads load and storage evenly.',
    keystamp:
      'Keystamp warns of a field whose name suggests that its value changes, and rejects a record that already contains a key other than the computed one; the planner checks a sample. Writer and sink delete the document under the old key if the record has the previous image of the item.',
    state: 'built',
    show: async () => [...(await neverChanges()), ...(await rehomedItem()), ...(await neverAKey())]
  },
  {
    id: 'B8',
    says: 'Items that are written in one transaction have to be in the same logical partition.',
    keystamp: 'As B5.',
    state: 'built',
    show: async () => [...(await atomicWrites()), ...(await dividedTransactions())]
  },
  {
    id: 'B9',
    says: 'In large containers, a good key is the property for which most queries have an equality filter.',
    keystamp: 'The planner takes the queries and their rates, and computes the cost of each plan from its fan-out.',
    state: 'built',
    show: queriesDecide
  },
  {
    id: 'B10',
    says: 'In small containers, queries across partitions do not matter.',
    keystamp: 'The planner reports this.',
    state: 'built',
    show: small
  },
  {
    id: 'B11',
    says: 'Above 30,000 RU/s or 100 GB, choose a key with which few queries go across partitions.',
    keystamp:
      'The planner computes the number of ranges from RU/s and GB, and the cost of the queries from the number of ranges.',
    state: 'built',
    show: async () => [...(await manyPartitions()), ...(await queriesDecide())]
  },
  {
    id: 'B12',
    says: 'The id as the key: every item has it, its values are many and evenly distributed, and the id alone is enough to read an item.',
    keystamp: 'A container with the key `/id` needs no plan: writer, reader and sink use it as it is.',
    state: 'built',
    show: async () => [...(await idNeedsNoPlan()), ...(await idProposed())]
  },
  {
    id: 'B13',
    says: 'But then ids are unique over the whole container, queries fan out, and no transaction holds two items.',
    keystamp: 'The planner lists these costs with numbers.',
    state: 'built',
    show: costsOfId
  }
]

async function thousandUsers(): Promise<Shown[]> {
  const { keyFor } = createPlan({ into: '/partitionKey', from: [{ field: '/userId' }] })
  const load = loadOf(
    Array.from({ length: 1000 }, (_, user) => String(keyFor({ userId: `user-${user}` }).key)),
    4
  )
  return [{ input: '1,000 user ids', output: `${load.keys} logical partitions on ${load.ranges} ranges` }]
}

async function hashed(): Promise<Shown[]> {
  const key = String(createPlan(JOINED).keyFor(DOCUMENT).key)
  const epk = partitionHash([key], { version: 2 })
  const levels = partitionHash(['abc-123', 2018], { kind: 'MultiHash', version: 2, paths: ['/deviceId', '/date'] })
  return [
    { input: `"${key}", version 2`, output: epk },
    { input: `"${key}", version 1`, output: partitionHash([key], { version: 1 }) },
    { input: '["abc-123", 2018], hierarchical', output: levels },
    { input: `"${key}" in a new container of 4 ranges`, output: `range ${ownerOf(rangesOf(4), epk)?.id}` }
  ]
}

async function neverChanges(): Promise<Shown[]> {
  const mutable = createPlan({ into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/status' }] })
  const another = { date: DATE, [VIN]: SOME_VIN, partitionKey: `${DATE}.1` }
  const stamped = createPlan(COMPUTED_SUFFIX).stamp({ ...another })
  return [
    {
      input: 'a plan that names /status',
      output: mutable.warnings.map(({ code, path }) => `warned of ${code} at ${path}`).join(', ')
    },
    {
      input: JSON.stringify(another),
      output: stamped.ok ? JSON.stringify(stamped.record) : `rejected: ${stamped.code} at ${stamped.path}`
    },
    ...(await changedKey())
  ]
}

async function idNeedsNoPlan(): Promise<Shown[]> {
  return [
    { input: 'a plan that writes into /id', output: refusalOfId() },
    ...(await idAsKey()),
    ...(await idThroughASink())
  ]
}

function refusalOfId(): string {
  try {
    createPlan({ into: '/id', from: [{ field: '/id' }] })
  } catch (error) {
    if (error instanceof PlanError) return error.mistakes.map(({ path, message }) => `${path} ${message}`).join('; ')
    throw error
  }
  return 'accepted'
}
