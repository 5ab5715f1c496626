// Adds and removes entries in an identity index until it is killed, and prints each change before and after it.
import { writeSync } from 'node:fs'
import { openFileTargetIndex } from '../../dist/target-index/file-target-index.js'

const [folder, first] = process.argv.slice(2)
const index = openFileTargetIndex(folder, { segmentBytes: 50_000 })
const KEPT = 500
let next = Number(first)

async function work() {
  for (;;) {
    const number = next++
    await index.add({ id: `id-${number}`, key: [number] }, { id: `id-${number}`, key: [`to-${number}`] })
    writeSync(1, `added ${number}\n`)
    // every tenth entry stays
    const old = number - KEPT
    if (old < Number(first) || old % 10 === 0) continue
    writeSync(1, `removing ${old}\n`)
    await index.remove({ id: `id-${old}`, key: [old] }, { id: `id-${old}`, key: [`to-${old}`] })
    writeSync(1, `removed ${old}\n`)
  }
}

await Promise.all(Array.from({ length: 32 }, work))
