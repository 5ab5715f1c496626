import { createProfiler, createRandom, discoverFields, usableShare } from '@keystamp/planner'

import { CANDIDATES } from './candidates.ts'
import { createRecordMaker } from './records.ts'

// A profile in a process of its own: prints the CPU time per record, without that of making the records, and the most
// memory that was resident.
const records = Number(process.argv[2])
const firstMaker = createRecordMaker(1)
const first = Array.from({ length: 2000 }, () => {
  firstMaker.next()
  return JSON.parse(Buffer.from(firstMaker.bytes).toString()) as unknown
})
const fields = discoverFields(first)
const makingMs = cpuMsOf(() => each(() => undefined))
const profiler = createProfiler({
  candidates: CANDIDATES,
  fields,
  timeField: '/at',
  transactions: ['/orderId'],
  random: createRandom(1)
})
const profilingMs = cpuMsOf(() => each((bytes) => profiler.add(bytes)))
let sample = profiler.finish()
const finishMs = cpuMsOf(() => {
  sample = profiler.finish()
})
const random = createRandom(1)
const modelMs = cpuMsOf(() => {
  for (const key of sample.keys)
    if (key !== null) usableShare(key, { ranges: 50, method: 'uniform', population: records * 100, random })
})
process.stdout.write(
  JSON.stringify({
    micros: ((profilingMs - makingMs) * 1000) / records,
    finishMs,
    modelMs,
    residentMb: process.resourceUsage().maxRSS / 1024,
    paths: fields.length,
    exact: sample.keys.filter((key) => key?.isExact).length
  })
)

function each(use: (bytes: Uint8Array) => void): void {
  const { bytes, next } = createRecordMaker(1)
  for (let record = 0; record < records; record++) {
    next()
    use(bytes)
  }
}

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
