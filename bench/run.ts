import { readdir } from 'node:fs/promises'
import { cpus } from 'node:os'
import { measureYardstick } from './yardstick.ts'

interface Bench {
  readonly question: string
  readonly run: (report: (line: string) => void) => Promise<void>
}

const wanted = process.argv.slice(2)
const files = (await readdir('bench')).filter((name) => name.endsWith('.bench.ts')).toSorted()
const chosen = files.filter((name) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)))
if (chosen.length === 0) {
  console.error(
    `No bench begins with ${wanted.join(', ')}. There are: ${files.map((name) => name.replace('.bench.ts', '')).join(', ')}.`
  )
  process.exit(2)
}

console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`)
console.log(`JSON.parse, spread and JSON.stringify of a record of 1 KB take ${measureYardstick().toFixed(1)} us here.`)
for (const name of chosen) {
  const bench = (await import(`./${name.replace(/ts$/, 'js')}`)) as Bench
  console.log(`\n${name.replace('.bench.ts', '')}: ${bench.question}`)
  await bench.run((line) => console.log(line))
}
