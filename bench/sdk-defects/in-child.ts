import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ChildWork } from './child-works.ts'

/** How a process of its own ended. */
export interface ChildEnd {
  readonly kind: 'ended' | 'failed' | 'still running'
  /** From the beginning of the task to the end of the process. */
  readonly ms: number
}

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url))

/** Runs a task of the client in a process that may hang or crash. The process is killed after `timeoutMs`. */
export async function inChild(work: ChildWork, endpoint: string, key: string, timeoutMs: number): Promise<ChildEnd> {
  const child = spawn(process.execPath, [CHILD, work, endpoint, key], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>
  // the child writes when it begins the task: the start of the process must not count
  await Promise.race([once(child.stdout, 'data'), exit])
  const start = performance.now()
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const [code, signal] = await exit
  clearTimeout(timer)
  return {
    kind: signal === 'SIGKILL' ? 'still running' : code === 0 ? 'ended' : 'failed',
    ms: performance.now() - start
  }
}
