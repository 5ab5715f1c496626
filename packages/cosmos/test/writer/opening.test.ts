import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, expect, it } from 'vitest'
import { createWriter } from '../../src/index.ts'

let emulator: Emulator | undefined
afterEach(() => emulator?.stop())

it('createWriter opens a writer even if reading the throughput is forbidden and the other reads of metadata take long', async () => {
  emulator = await startEmulator({ containers: ['d/c:/pk'] })
  emulator.faults.inject({ on: 'offers', action: { kind: 'status', status: 403 } })
  emulator.faults.inject({ on: 'account', count: 1, action: { kind: 'delay', ms: 300 } })

  const writer = await createWriter({ endpoint: emulator.endpoint, key: emulator.key, database: 'd', container: 'c' })

  expect(writer.stats().budgetRuPerSecond).toBeUndefined()
  await writer.close()
})
