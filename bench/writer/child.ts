import { createInterface } from 'node:readline'
import { createTelemetry } from '@keystamp/testkit'
import type { Amount, ContestantOptions, Cost } from './contestant.ts'
import { withContainer } from './bench-container.ts'
import { WAYS } from './ways.ts'

// Runs one contestant in a process of its own. Prints a line when it is ready. Then each line of standard input says
// how much to write, and the answer is a line with the cost.
const options = JSON.parse(process.argv[2]) as ContestantOptions
const lines = createInterface({ input: process.stdin })
// the parent needs nothing more or has ended, perhaps during a write; the emulator ends with this process
lines.once('close', () => process.exit())
await withContainer(options.target, async (target) => {
  const { big } = createTelemetry(1)
  const write = await WAYS[options.way](target, Array.from({ length: options.records }, big))
  print({ endpoint: target.emulator.endpoint })
  for await (const line of lines) print(await take(write, JSON.parse(line) as Amount))
})

async function take(write: () => Promise<unknown>, { times = 1, minMs = 0 }: Amount): Promise<Cost> {
  const start = performance.now()
  const before = process.cpuUsage()
  let written = 0
  while (written < times || performance.now() - start < minMs) {
    await write()
    written++
  }
  const { user, system } = process.cpuUsage(before)
  return { ms: (performance.now() - start) / written, cpuMicros: (user + system) / written }
}

function print(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
