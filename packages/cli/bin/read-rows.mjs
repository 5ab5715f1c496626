// Thread of `keystamp plan` that reads records into rows, in blocks of memory that it shares with the main thread.
import { parentPort } from 'node:worker_threads'
import { readRows, RowReader } from '@keystamp/planner/internal'

let reader
parentPort.on('message', ({ options, memory, records }) => {
  if (options !== undefined) {
    reader = new RowReader(options)
    return
  }
  readRows(reader, memory, records)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
  parentPort.postMessage('read')
})
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
parentPort.postMessage('ready')
