import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Script of a load process. It keeps a processor busy in slices of 50 ms. Between slices it notices that standard input
 * was closed, so it ends with its parent.
 */
const BUSY = `
  process.stdin.on('end', () => process.exit()).resume()
  const spin = () => { for (const end = Date.now() + 50; Date.now() < end;); setImmediate(spin) }
  spin()
`

/** Starts processes that only consume processor time. The returned function ends them. */
export function startLoad(count: number): () => void {
  const children: readonly ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', BUSY], { stdio: ['pipe', 'ignore', 'ignore'] })
  )
  return () => {
    for (const child of children) child.stdin?.end()
  }
}
