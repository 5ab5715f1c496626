import { once } from 'node:events'
import { createWriter } from '@keystamp/cosmos'
import { cpuWaitMs } from './cpu-wait.ts'
import type { SentBatch, Work, Worked } from './work.ts'

// One of several processes that write into one container: prints when it is ready, begins at a line on standard input,
// and prints the requests that it sent.
const { place, sharedThrough, seconds, name } = JSON.parse(process.argv[2]) as Work
const writer = await createWriter({ ...place, ...(sharedThrough === undefined ? {} : { sharedThrough }) })
const sent: SentBatch[] = []
writer.events.on('batchAnswered', ({ rangeId, latencyMs, chargedRu, expectedRu }) =>
  sent.push({ rangeId, atMs: performance.timeOrigin + performance.now() - latencyMs, chargedRu, expectedRu })
)
process.stdout.write('ready\n')
await once(process.stdin, 'data')

const text = 'x'.repeat(700)
const waitedMs = cpuWaitMs('self')
const untilMs = performance.now() + seconds * 1000
for (let n = 0; performance.now() < untilMs; n++) {
  // operations that are left at the end get no outcome
  writer.write({ kind: 'upsert', record: { id: `${name}-${n % 5000}`, pk: `${name}-${n % 500}`, text } }).catch(nothing)
  if (!writer.hasRoom()) await writer.room()
}
function nothing(): void {
  // and need none
}

const { operations, throttledOperations } = writer.stats()
const worked: Worked = { sent, operations, throttledOperations, cpuWaitMs: cpuWaitMs('self') - waitedMs }
// operations in the queue are abandoned: only the requested time counts
await writer.close(0)
process.stdout.write(JSON.stringify(worked), () => process.exit(0))
