// Points in the code of a sink at which a scenario can suspend its process, or cut its connection to the broker. The
// runner arms a point by a line on standard input; the point fires once. A suspended process continues when the runner
// thaws it.
//   end         Cosmos DB: after the sink's last check, before its write
//   join        Kafka: before a JoinGroup request
//   sync        Kafka: after the answer to JoinGroup, before the SyncGroup request
//   joinAnswer  Kafka: when the answer to JoinGroup arrives; the connection is cut, so that the answer is lost, and
//               the process is suspended
import { BroadcastChannel, isMainThread } from 'node:worker_threads'
import { createInterface } from 'node:readline'

/** Armed points, each with the shared memory in which the main thread counts SIGCONT. */
const armed = new Map()
const JOIN_GROUP = 11
let note

/** Fires the point if it is armed: notes it, suspends this process, and returns when the runner has continued it. */
export function stopAt(point, about) {
  const continued = armed.get(point)
  if (continued === undefined) return
  armed.delete(point)
  const before = Atomics.load(continued, 0)
  note({ stoppedAt: point, about, atMs: Date.now() })
  process.kill(process.pid, 'SIGSTOP')
  // the main thread receives the signal, perhaps much later on a busy machine: until then, this thread waits here
  Atomics.wait(continued, 0, before)
}

/** Reads the orders of the runner in the main thread, and passes them to the thread of the sink. */
export function followRunner(options) {
  note = options.note
  const orders = new BroadcastChannel('keystamp-stop-points')
  if (isMainThread) takeOrders(orders)
  else followOrders(orders, options.require)
  orders.unref()
}

function takeOrders(orders) {
  const continued = new Int32Array(new SharedArrayBuffer(4))
  process.on('SIGCONT', () => {
    Atomics.add(continued, 0, 1)
    Atomics.notify(continued, 0)
  })
  // the runner has ended, so it cannot end this process
  process.stdin.on('end', () => process.exit(1))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
  createInterface({ input: process.stdin }).on('line', (point) => orders.postMessage({ point, continued }))
  process.stdin.unref()
}

function followOrders(orders, require) {
  orders.addEventListener('message', ({ data: { point, continued } }) => {
    armed.set(point, continued)
    note({ armed: point })
  })
  patchKafkajs(require)
}

function patchKafkajs(require) {
  const Broker = require('kafkajs/src/broker/index.js')
  const { joinGroup, syncGroup } = Broker.prototype
  Broker.prototype.joinGroup = function (request) {
    stopAt('join', request.memberId)
    return joinGroup.call(this, request)
  }
  Broker.prototype.syncGroup = function (request) {
    stopAt('sync', request.generationId)
    return syncGroup.call(this, request)
  }
  loseJoinAnswers(require)
}

function loseJoinAnswers(require) {
  const Connection = require('kafkajs/src/network/connection.js')
  const RequestQueue = require('kafkajs/src/network/requestQueue/index.js')
  const { processData } = Connection.prototype
  const { fulfillRequest } = RequestQueue.prototype
  let connection
  Connection.prototype.processData = function (data) {
    connection = this
    return processData.call(this, data)
  }
  RequestQueue.prototype.fulfillRequest = function (answer) {
    const { apiKey } = this.inflight.get(answer.correlationId)?.entry ?? {}
    if (apiKey !== JOIN_GROUP || !armed.has('joinAnswer')) return fulfillRequest.call(this, answer)
    connection.socket.destroy(new Error('The scenario cut this connection.'))
    stopAt('joinAnswer')
  }
}
