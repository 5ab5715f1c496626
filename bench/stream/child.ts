import { contestants, warm } from './contestants.ts'

// One contestant in a process of its own: prints what a time takes by the clock and of the processors, and the most
// memory that was resident.
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
