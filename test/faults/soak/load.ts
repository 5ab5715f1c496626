import { type ChildProcess, spawn } from 'node:child_process'

/** Takes one processor each, in slices, so that it notices when standard input closes: it never outlives its parent. */
const BUSY = `
  process.stdin.on('end', () => process.exit()).resume()
  const spin = () => { for (const end = Date.now() + 50; Date.now() < end;); setImmediate(spin) }
  spin()
`

/** Starts processes that do nothing but take processor time; the answer ends them. */
export function startLoad(count: number): () => void {
  const children: readonly ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', BUSY], { stdio: ['pipe', 'ignore', 'ignore'] })
  )
  return () => {
    for (const child of children) child.stdin?.end()
  }
}
