import { loadavg } from 'node:os'
import { createContainer, createWriter } from '@keystamp/cosmos'
import type { EmulatorProcess } from '@keystamp/emulator'
import { documentOf, usedRu, withMovedContainers } from './move/moved-containers.ts'
import { cpuSecondsOf } from './move/process-cpu.ts'

export const question = 'What does `--fence` add to the RU and the CPU of a move, for a copy and for a delete?'

const DOCUMENTS = Number(process.env['KEYSTAMP_BENCH_DOCUMENTS'] ?? 30_000)
const TEXT_BYTES = 900
/** The target must not be charged for this time, so that all deletes are done. */
const QUIET_MS = 3000

export async function run(report: (line: string) => void): Promise<void> {
  for (const fence of [false, true]) {
    const emulator = { ruPerSecond: 400_000, throttle: false, containers: ['bench/other:/id'] }
    const prepare = createContainers
    await withMovedContainers(
      { documents: DOCUMENTS, textBytes: TEXT_BYTES, emulator, prepare },
      async (containers) => {
        const { emulator: account } = containers
        const following = containers.follow({ field: '/id', fence })
        const { microsPerDocument } = await following.isCopied
        const copiedRu = await quietRu(account.endpoint)
        const cpuAtFirst = cpuSecondsOf(following.pid)
        await deleteAll(account)
        const deletedRu = (await quietRu(account.endpoint)) - copiedRu
        const micros = ((cpuSecondsOf(following.pid) - cpuAtFirst) * 1e6) / DOCUMENTS
        const [copy, deleted] = [copiedRu, deletedRu].map((ru) => (ru / DOCUMENTS).toFixed(2))
        report(
          `  ${fence ? 'with' : 'without'} a fence: a copy ${copy} RU in the target and ${microsPerDocument.toFixed(0)} us of CPU, a delete ${deleted} RU and ${micros.toFixed(0)} us (load ${loadavg()[0].toFixed(1)})`
        )
        await following.stop()
      }
    )
  }
}

/** Both containers with the feed of all versions and deletes. */
async function createContainers({ endpoint, key }: EmulatorProcess): Promise<void> {
  for (const [container, path] of [
    ['old', '/deviceId'],
    ['new', '/partitionKey']
  ]) {
    const partitionKey = { paths: [path], kind: 'Hash', version: 2 }
    const definition = { partitionKey, changeFeedPolicy: { retentionDuration: 60 } }
    await createContainer({ endpoint, key, database: 'bench', container }, definition, { manual: 40_000 })
  }
}

async function deleteAll({ endpoint, key }: EmulatorProcess): Promise<void> {
  const writer = await createWriter({ endpoint, key, database: 'bench', container: 'old', share: 10_000_000 })
  for (let number = 0; number < DOCUMENTS; number++) {
    const { id, deviceId } = documentOf(number, 0)
    if (!writer.hasRoom()) await writer.room()
    writer.submit({ kind: 'delete', key: [deviceId as string], id }, () => {})
  }
  await writer.flush()
  await writer.close()
}

/** RU of the target when it is not charged any more. */
async function quietRu(endpoint: string): Promise<number> {
  let [last, sinceMs] = [-1, performance.now()]
  for (;;) {
    const ru = (await usedRu(endpoint, 'new')).reduce((sum, used) => sum + used, 0)
    if (ru !== last) [last, sinceMs] = [ru, performance.now()]
    else if (performance.now() - sinceMs > QUIET_MS) return ru
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
