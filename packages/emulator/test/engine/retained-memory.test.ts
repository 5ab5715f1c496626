import { expect, it } from 'vitest'
import { sweepExpired } from '../../src/engine/apply-decision.ts'
import { Account } from '../../src/store/account.ts'
import { parseContainerDefinition } from '../../src/store/container-definition.ts'

it('the sweep frees the versions that are older than the retention', () => {
  const account = new Account()
  const database = account.createDatabase('shop', undefined, 1)
  const definition = { id: 'orders', partitionKey: { paths: ['/pk'] }, changeFeedPolicy: { retentionDuration: 1 } }
  const container = account.createContainer(database, parseContainerDefinition(definition), {
    throughput: { mode: 'manual', ruPerSecond: 400 },
    rangeCount: 1,
    timestamp: 1
  })
  const versions = container.ranges.all[0].versions!
  const previous = { version: 1, timestamp: 1, length: 100_000, copyTo: () => {} }
  // 100 KB in each of 600 seconds, of which the retention keeps 60
  for (let second = 1; second <= 600; second++) {
    const identity = { id: '1', keyText: '"a"', effectiveKey: '0A', ordinal: 1 }
    const order = { sequence: container.nextSequence(), lsn: second, timestamp: second, previousLsn: second - 1 }
    versions.append({ kind: 'delete', ...identity, ...order, current: undefined, previous })
    sweepExpired(account, second * 1000)
  }

  expect(versions.bytes).toBeGreaterThan(6_000_000)
  expect(versions.bytes).toBeLessThan(9_000_000)
})
