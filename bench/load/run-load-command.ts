import { type ChildProcess, spawn } from 'node:child_process'

/** Cost of a load. */
export interface LoadRun {
  /** From the first read of the file to the last outcome, without the start of the process. */
  readonly seconds: number
  readonly userCPUTime: number
  readonly systemCPUTime: number
  /** Maximum resident memory, in kilobytes. */
  readonly maxRSS: number
}

// excludes the start of the process and the loading of modules
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

/** Runs the command in a process of its own. `observe` is called at the start; it returns a function for the end. */
export async function runLoadCommand(
  args: readonly string[],
  observe?: (child: ChildProcess) => () => void
): Promise<LoadRun> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', MEASURED, 'keystamp', 'load', ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const stopObserving = observe?.(child)
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  stopObserving?.()
  return JSON.parse(text) as LoadRun
}
