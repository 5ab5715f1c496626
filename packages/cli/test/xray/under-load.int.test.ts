import { createWriter } from '@keystamp/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import type { XrayReport } from '@keystamp/planner'
import { afterEach, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'

const LIMIT_RU = 40
// little, so that the writer reaches it on a busy machine, too
const PROVISIONED_RU = 800

let emulator: Emulator | undefined

afterEach(async () => {
  await emulator?.stop()
  emulator = undefined
})

/** Starts a container that throttles, and a writer that uses its whole throughput. */
async function startBusy() {
  emulator = await startEmulator({
    auth: 'off',
    ranges: 2,
    ruPerSecond: PROVISIONED_RU,
    throttle: true
  })
  const { endpoint, key } = emulator
  for (const [path, body] of [
    ['dbs', { id: 'd' }],
    ['dbs/d/colls', { id: 'c', partitionKey: { paths: ['/key'], kind: 'Hash', version: 2 } }]
  ] as const)
    await fetch(`${endpoint}${path}`, { method: 'POST', body: JSON.stringify(body) })
  const writer = await createWriter({ endpoint, key, database: 'd', container: 'c', metadataBy: 'direct' })
  const over = new AbortController()
  let begun = 0
  const write = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const number = begun++
      await writer.upsert({ id: `${number}`, key: `key-${number % 700}` })
    }
  }
  const writes = Promise.all(Array.from({ length: 200 }, write))
  return {
    container: `${endpoint}d/c`,
    stop: async () => {
      over.abort()
      await writes
      await writer.close()
    }
  }
}

/** RU of all accepted requests for documents so far. */
function usedRu(): number {
  return emulator!.report().containers[0].ranges.reduce((sum, range) => sum + range.usedRu, 0)
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

describe('keystamp xray of a container whose throughput is used up', () => {
  // checks L17
  it('finishes, and costs the application no more than its limit', async () => {
    const busy = await startBusy()
    await wait(3000)
    const before = usedRu()
    await wait(8000)
    const aloneRu = (usedRu() - before) / 8
    const [begun, first] = [performance.now(), usedRu()]

    const args = ['xray', busy.container, '--since', '10s', '--max-ru', String(LIMIT_RU), '--sample', '100', '--json']
    const { stdout, stderr } = await runCommand(args)

    const seconds = (performance.now() - begun) / 1000
    const inAllRu = usedRu() - first
    await busy.stop()
    expect(stderr).toBe('')
    const { looked, load } = JSON.parse(stdout) as XrayReport
    expect(load?.total).toBeGreaterThan(0)
    expect(looked.chargeRu / seconds).toBeLessThanOrEqual(LIMIT_RU * 1.1)
    // the writer uses its whole budget, alone and next to the command; a machine of tests does not run evenly
    expect(aloneRu).toBeGreaterThan(0.5 * PROVISIONED_RU)
    const besideRu = (inAllRu - looked.chargeRu) / seconds
    expect(aloneRu - besideRu).toBeLessThanOrEqual(LIMIT_RU + 0.1 * PROVISIONED_RU)
  }, 180_000)
})
