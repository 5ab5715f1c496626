import { contestants, warm } from './contestants.ts'

// Runs one contestant in a process of its own, and prints elapsed time and CPU time of one run, and maximum resident
// memory.
const [name = '', times = '1', input = '', output = ''] = process.argv.slice(2)
const contestant = contestants[name]
if (contestant === undefined) throw new Error(`There is no contestant ${name}.`)
if (input !== '-') await warm(input)
const start = performance.now()
const before = process.cpuUsage()
for (let time = 0; time < Number(times); time++) await contestant(input, output)
const { user, system } = process.cpuUsage(before)
const ms = (performance.now() - start) / Number(times)
process.stdout.write(
  JSON.stringify({
    ms,
    cpuMs: (user + system) / 1000 / Number(times),
    residentMb: process.resourceUsage().maxRSS / 1024
  })
)
