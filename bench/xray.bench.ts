import { spawn } from 'node:child_process'
import { startOurs } from './emulator/server.ts'
import { fillContainer } from './emulator/queries.ts'

export const question =
  'What does keystamp xray cost on a container of 20 physical partitions and a million documents, with one minute of changes?'

const DOCUMENTS = Number(process.env['KEYSTAMP_BENCH_DOCUMENTS'] ?? 1_000_000)
const KEYS = 20_000
const RANGES = 20
const LIMIT_RU = 500

interface Run {
  readonly seconds: number
  readonly maxRSS: number
  readonly looked: { readonly requests: number; readonly chargeRu: number; readonly readSeconds: number }
  readonly writes: number
  readonly sampled: number
}

// excludes the start of the process
const MEASURED = `
import { main } from 'keystamp'
const written = []
const { write } = process.stdout
process.stdout.write = (text) => written.push(String(text)) > 0
const start = performance.now()
await main(process)
const seconds = (performance.now() - start) / 1000
process.stdout.write = write
process.exitCode = 0
const { looked, load, plan } = JSON.parse(written.join(''))
const { maxRSS } = process.resourceUsage()
const figures = { seconds, maxRSS, looked, writes: load?.total ?? 0, sampled: plan?.sample.records ?? 0 }
process.stdout.write(JSON.stringify(figures) + '\\n')
`

/** Fills a container, and looks at it at once: most of its documents were then written in the last minute. */
export async function run(report: (line: string) => void): Promise<void> {
  const server = await startOurs('ours', false, RANGES)
  try {
    const begun = performance.now()
    await fillContainer(
      server,
      Array.from({ length: Math.min(KEYS, DOCUMENTS) }, (_, n) => `key-${n}`),
      DOCUMENTS
    )
    const filled = (performance.now() - begun) / 1000
    report(`  ${DOCUMENTS.toLocaleString('en')} documents of 1 KB, written in ${filled.toFixed(0)} s`)
    describe('with the writes of the last minute', await runXray(server.endpoint, '1m'), report)
    await new Promise((resolve) => {
      setTimeout(resolve, 15_000)
    })
    describe('without writes in the period', await runXray(server.endpoint, '10s'), report)
  } finally {
    await server.stop()
  }
}

async function runXray(endpoint: string, since: string): Promise<Run> {
  const options = ['--since', since, '--max-ru', String(LIMIT_RU), '--json', '--quiet']
  const args = ['--input-type=module', '-e', MEASURED, 'keystamp', 'xray', `${endpoint}queries/c`, ...options]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  return JSON.parse(text) as Run
}

function describe(
  what: string,
  { seconds, maxRSS, looked, writes, sampled }: Run,
  report: (line: string) => void
): void {
  const { requests, chargeRu } = looked
  report(
    `  ${what}: ${seconds.toFixed(1)} s, at most ${(maxRSS / 1024).toFixed(0)} MB; ${writes.toLocaleString('en')} writes and ${sampled.toLocaleString('en')} documents read, ${requests} requests, ${chargeRu.toFixed(0)} RU (${(chargeRu / seconds).toFixed(0)} RU/s)`
  )
}
