import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ChildWork } from './child-works.ts'

/** How a process of its own ended. */
export interface ChildEnd {
  readonly kind: 'ended' | 'failed' | 'still running'
  /** Since it began with the work. */
  readonly ms: number
}

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url))

/** Does some work of the client in a process that may hang or fall over; it is ended after some time. */
export async function inChild(work: ChildWork, endpoint: string, key: string, mostMs: number): Promise<ChildEnd> {
  const child = spawn(process.execPath, [CHILD, work, endpoint, key], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>
  // it says so when it begins: starting a process is not what is measured
  await Promise.race([once(child.stdout, 'data'), exit])
  const start = performance.now()
  const timer = setTimeout(() => child.kill('SIGKILL'), mostMs)
  const [code, signal] = await exit
  clearTimeout(timer)
  return {
    kind: signal === 'SIGKILL' ? 'still running' : code === 0 ? 'ended' : 'failed',
    ms: performance.now() - start
  }
}
