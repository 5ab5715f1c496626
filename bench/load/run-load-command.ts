import { type ChildProcess, spawn } from 'node:child_process'

/** Cost of a load. */
export interface LoadRun {
  /** From the first look at the file to the last outcome, without the start of the process. */
  readonly seconds: number
  readonly userCPUTime: number
  readonly systemCPUTime: number
  /** Most kilobytes that were resident at once. */
  readonly maxRSS: number
}

// excludes the start of the process and reading programs from disk
const MEASURED = `
import { main } from 'keystamp'
await import('@keystamp/cosmos')
const before = process.cpuUsage()
const start = performance.now()
await main(process)
const { user, system } = process.cpuUsage(before)
const seconds = (performance.now() - start) / 1000
console.log(JSON.stringify({ seconds, userCPUTime: user, systemCPUTime: system, maxRSS: process.resourceUsage().maxRSS }))
`

/** Runs the command in a process of its own, and looks on while it works. */
export async function runLoadCommand(
  args: readonly string[],
  look?: (child: ChildProcess) => () => void
): Promise<LoadRun> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', MEASURED, 'keystamp', 'load', ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const lookAway = look?.(child)
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  lookAway?.()
  return JSON.parse(text) as LoadRun
}
