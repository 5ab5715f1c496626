// Thread of `keystamp plan` that reads records into rows, in blocks of memory that it shares with the main thread.
import { parentPort } from 'node:worker_threads'
import { readRows, RowReader } from '@keystamp/planner'

let reader
const memories = []
parentPort.on('message', ({ options, memory, number, records }) => {
  if (options !== undefined) {
    reader = new RowReader(options)
  } else if (memory !== undefined) {
    memories.push(memory)
  } else {
    readRows(reader, memories[number], records)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
    parentPort.postMessage('read')
  }
})
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
parentPort.postMessage('ready')
