// Moves with real processes that are killed, many of them: `npm run prove:move` starts this file.
import { parseArgs } from 'node:util'
import { runKilledMove } from './killed-move.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    'first-seed': { type: 'string', default: '1' },
    parallel: { type: 'string', default: '2' },
    workers: { type: 'string', default: '1' }
  }
})
/** A move that takes longer than this hangs. */
const LIMIT_MS = 600_000
const END_MS = 60_000

const [first, count, workers] = [values['first-seed'], values.count, values.workers].map(Number)
const failed: number[] = []
let next = 0

await Promise.all(Array.from({ length: Number(values.parallel) }, runMoves))
console.log(`${count - failed.length} of ${count} moves are as they must be.`)
if (failed.length > 0) console.log(`Failed: seeds ${failed.toSorted((a, b) => a - b).join(', ')}.`)
// a move that hangs would keep the process
process.exit(failed.length > 0 ? 1 : 0)

async function runMoves(): Promise<void> {
  while (next < count) {
    const seed = first + next++
    const begunMs = Date.now()
    const { line, isGood } = await Promise.race([run(seed), hung()])
    if (!isGood) failed.push(seed)
    console.log(`seed ${seed}, ${((Date.now() - begunMs) / 1000).toFixed(0)} s, ${line}`)
  }
}

interface Outcome {
  readonly line: string
  readonly isGood: boolean
}

async function run(seed: number): Promise<Outcome> {
  try {
    const { wrong, disturbances, steps, writes, finding } = await runKilledMove(seed, { workers, limitMs: LIMIT_MS })
    const [happened, written] = [disturbances, writes].map((counts) =>
      Object.entries(counts).map(([what, times]) => `${times} ${what}`)
    )
    const facts = `${finding}: ${steps.join(' ')}; ${happened.join(' ')}; ${written.join(' ')}`
    return {
      line: `${facts}; ${wrong.length} wrong${wrong.map((each) => `\n  ${each}`).join('')}`,
      isGood: wrong.length === 0
    }
  } catch (error) {
    return { line: `FAILED: ${error instanceof Error ? error.message : String(error)}`, isGood: false }
  }
}

async function hung(): Promise<Outcome> {
  await new Promise((resolve) => setTimeout(resolve, LIMIT_MS + END_MS).unref())
  return { line: `FAILED: not ended ${END_MS / 1000} s after its limit`, isGood: false }
}
