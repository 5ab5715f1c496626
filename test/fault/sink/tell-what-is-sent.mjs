// Lets the requests of a command to Cosmos DB be told from those of others:
//   node --import 'tell-what-is-sent.mjs?name=<name>&file=<file>' keystamp.mjs sink --config sink.yaml
// Each bulk request carries an activity id of its own, and the file gets a line for it: the id, and what it writes.
import { openSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const { Agent } = createRequire(new URL('../../../packages/cosmos/package.json', import.meta.url))('undici')
const { searchParams } = new URL(import.meta.url)
const name = searchParams.get('name')
const log = openSync(searchParams.get('file'), 'a')
const { dispatch } = Agent.prototype
let count = 0

Agent.prototype.dispatch = function (options, handler) {
  const activity = `${name}-${process.pid}-${++count}`
  const start = handler.onRequestStart.bind(handler)
  handler.onRequestStart = (controller, context) => {
    start(controller, context)
    // withheld at the very end
    if (controller.aborted) return
    const writes = JSON.parse(options.body).map(({ id, resourceBody }) => [resourceBody?.id ?? id, resourceBody?.mark ?? null])
    writeSync(log, `${JSON.stringify({ activity, writes })}\n`)
  }
  return dispatch.call(this, { ...options, headers: [...options.headers, 'x-ms-activity-id', activity] }, handler)
}

if (isMainThread) {
  // whoever has started it is gone; to wait for that is no reason to stay
  process.stdin.on('end', () => process.exit(1)).resume()
  process.stdin.unref()
}
