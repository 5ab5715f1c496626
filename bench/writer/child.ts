import { createInterface } from 'node:readline'
import { createTelemetry } from '@keystamp/testkit'
import type { Amount, ContestantOptions, Took } from './contestant.ts'
import { inPlace } from './place.ts'
import { WAYS } from './ways.ts'

// One contestant in a process of its own: says when it is ready; then every line tells it how much to write, and it
// prints what that took.
const options = JSON.parse(process.argv[2]) as ContestantOptions
const lines = createInterface({ input: process.stdin })
// the parent has its answer or has ended, perhaps during the work; the emulator ends with this process
lines.once('close', () => process.exit())
await inPlace(options.place, async (place) => {
  const { big } = createTelemetry(1)
  const write = await WAYS[options.way](place, Array.from({ length: options.records }, big))
  print({ endpoint: place.emulator.endpoint })
  for await (const line of lines) print(await take(write, JSON.parse(line) as Amount))
})

async function take(write: () => Promise<unknown>, { times = 1, leastMs = 0 }: Amount): Promise<Took> {
  const start = performance.now()
  const before = process.cpuUsage()
  let written = 0
  while (written < times || performance.now() - start < leastMs) {
    await write()
    written++
  }
  const { user, system } = process.cpuUsage(before)
  return { ms: (performance.now() - start) / written, cpuMicros: (user + system) / written }
}

function print(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
