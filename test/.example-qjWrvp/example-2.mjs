import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stampLines } from '@keystamp/stream'

const lines = Readable.from([Buffer.from('{"deviceId":"abc-123","date":2018}\n')])
const plan = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }] }
await pipeline(lines, stampLines(plan), async (output) => {
  for await (const chunk of output) console.log(chunk.toString().trim()) // {"deviceId":"abc-123","date":2018,"partitionKey":"abc-123-2018"}
})
