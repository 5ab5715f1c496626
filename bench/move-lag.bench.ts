import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { AppliedWrite } from '@keystamp/emulator'
import type { AnsweredMs, ChangeSettings } from './move/changing-application.ts'
import { withMovedContainers } from './move/moved-containers.ts'
import { cpuSecondsOf } from './move/process-cpu.ts'
import { quantile } from './writer/statistics.ts'

export const question = 'How long after an application that changes 1,000 documents in a second does a move copy them?'

const SECONDS = Number(process.env['KEYSTAMP_BENCH_SECONDS'] ?? 30)
const PER_SECOND = 1000
const TEXT_BYTES = 900
const APPLICATION = fileURLToPath(new URL('move/changing-application.js', import.meta.url))

/** Lag of a change: from the answer of the source to the application, until the target has stored the copy. */
export async function run(report: (line: string) => void): Promise<void> {
  const documents = SECONDS * PER_SECOND
  const emulator = { ruPerSecond: 400_000, throttle: false, operationLog: 4 * documents }
  for (const [name, field] of [
    ['key from the identity', '/id'],
    ['key from a field, with the index', '/date']
  ]) {
    await withMovedContainers({ documents, textBytes: TEXT_BYTES, emulator }, async ({ emulator: account, follow }) => {
      const { endpoint, key } = account
      // with the shares that the command has by default
      const following = follow({ field, readShare: '30%', writeShare: '80%' })
      await following.isCopied
      await fetch(operationsOf(endpoint), { method: 'DELETE' })
      const settings: ChangeSettings = { endpoint, key, documents, perSecond: PER_SECOND, textBytes: TEXT_BYTES }
      const cpuAtFirst = [following.pid, account.pid].map(cpuSecondsOf)
      const begun = performance.now()
      const { stdout } = await promisify(execFile)(process.execPath, [APPLICATION, JSON.stringify(settings)], {
        maxBuffer: 2 ** 28
      })
      const rate = documents / ((performance.now() - begun) / 1000)
      const answeredMs = JSON.parse(stdout) as AnsweredMs
      const lags = await lagsOf(endpoint, answeredMs)
      const micros = [following.pid, account.pid].map(
        (pid, at) => ((cpuSecondsOf(pid) - cpuAtFirst[at]) * 1e6) / documents
      )
      const [median, p99, most] = [0.5, 0.99, 1].map((share) => (quantile(lags, share) / 1000).toFixed(2))
      report(
        `  ${lags.length.toLocaleString('en')} of ${documents.toLocaleString('en')} changes, ${Math.round(rate)} a second, ${name}: lag median ${median} s, p99 ${p99} s (goal 2 s), at most ${most} s; CPU for each change ${micros[0].toFixed(0)} us, in the emulator ${micros[1].toFixed(0)} us (load ${loadavg()[0].toFixed(1)})`
      )
      await following.stop()
    })
  }
}

/** Waits until all changes are in the target, for a minute at most. */
async function lagsOf(endpoint: string, answeredMs: AnsweredMs): Promise<readonly number[]> {
  const changes = Object.keys(answeredMs).length
  for (let second = 0; ; second++) {
    const stored = await storedMs(endpoint)
    if (stored.size < changes && second < 60) await new Promise((resolve) => setTimeout(resolve, 1000))
    else return Array.from(stored, ([id, atMs]) => Math.max(0, atMs - answeredMs[id]))
  }
}

/** Time of the last write of each document in the target. */
async function storedMs(endpoint: string): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(operationsOf(endpoint))
  const writes = (await answer.json()) as readonly AppliedWrite[]
  return new Map(writes.map(({ id, atMs }) => [id, atMs]))
}

function operationsOf(endpoint: string): URL {
  return new URL('_control/operations?container=new', endpoint)
}
