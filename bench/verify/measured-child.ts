import { spawn } from 'node:child_process'

/** Cost of reading two containers, without the start of the process and the loading of modules. */
export interface ReadCost {
  readonly seconds: number
  readonly cpuSeconds: number
  /** Maximum resident memory of the process. */
  readonly maxMb: number
  /** Last line of its output. */
  readonly answer: string
}

/** Runs a program in a process of its own. `work` is the body of a function that is measured; `load` runs before it. */
export async function measureChild(load: string, work: string, args: readonly string[]): Promise<ReadCost> {
  const program = `
${load}
const before = process.cpuUsage()
const start = performance.now()
const answer = await (async () => { ${work} })()
const { user, system } = process.cpuUsage(before)
const seconds = (performance.now() - start) / 1000
const cpuSeconds = (user + system) / 1e6
console.log(JSON.stringify({ seconds, cpuSeconds, maxMb: process.resourceUsage().maxRSS / 1024, answer }))
process.exit()
`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, 'keystamp', ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  return JSON.parse(text.trim().split('\n').at(-1)!) as ReadCost
}
