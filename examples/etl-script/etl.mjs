// Reads lines of JSON, and writes them with a partition key; records that get no key go to a separate file.
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { stamp } from '@keystamp/stream'

const [input, output, rejects] = process.argv.slice(2)
if (rejects === undefined) {
  process.stderr.write('Usage: node etl.mjs <input> <output> <rejects>\n')
  process.exit(2)
}

const plan = {
  into: '/partitionKey',
  from: [{ field: '/deviceId' }, { bucket: 'month', of: '/at' }],
  suffix: { by: '/id', count: 8 }
}

// The script changes the records, so they have to be objects. For unchanged records, stampLines is many times as fast.
async function* readings(lines) {
  for await (const line of lines) {
    const record = JSON.parse(line)
    if (record.kind !== 'heartbeat') yield { ...record, celsius: Math.round(record.celsius * 10) / 10 }
  }
}

async function* toLines(records) {
  for await (const record of records) yield `${JSON.stringify(record)}\n`
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const file = await open(input).catch(({ code }) =>
  fail(`${input} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`)
)
const stage = stamp(plan, { onError: { collect: createWriteStream(rejects) }, maxRejected: '30%' })
await pipeline(file.readLines(), readings, stage, toLines, createWriteStream(output)).catch(({ message }) =>
  fail(message)
)

const { records, rejected, byCode } = stage.counts
process.stdout.write(`${records - rejected} stamped, ${rejected} rejected ${JSON.stringify(byCode)}\n`)
