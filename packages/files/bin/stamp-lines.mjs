// Thread of `stampFiles` that stamps blocks of lines. Their memory is given to the thread, and given back.
import { parentPort, workerData } from 'node:worker_threads'
import { loadBlockStamper } from '@keystamp/files/internal'

const { createBlockStamper } = await loadBlockStamper()
const stamp = createBlockStamper(workerData)
parentPort.on('message', (request) => {
  const answer = stamp(request)
  parentPort.postMessage(answer, [answer.memory, answer.output])
})
