// Lets the requests of a command to Cosmos DB be told from those of others:
//   node --import 'tell-what-is-sent.mjs?name=<name>&file=<file>' keystamp.mjs sink --config sink.yaml
// The file gets a line for each bulk request: the activity id that it carries, and what it writes.
import { openSync, writeSync } from 'node:fs'
import http from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const { searchParams } = new URL(import.meta.url)
const log = openSync(searchParams.get('file'), 'a')
const request = http.request

http.request = (options, ...rest) => {
  if (!Array.isArray(options.headers)) return request(options, ...rest)
  const activity = options.headers[options.headers.indexOf('x-ms-activity-id') + 1]
  const call = request(options, ...rest)
  const end = call.end.bind(call)
  call.end = (body, ...more) => {
    const writes = JSON.parse(body).map(({ id, resourceBody }) => [resourceBody?.id ?? id, resourceBody?.mark ?? null])
    writeSync(log, `${JSON.stringify({ activity, writes })}\n`)
    return end(body, ...more)
  }
  return call
}
syncBuiltinESMExports()

if (isMainThread) {
  // whoever has started it is gone; to wait for that is no reason to stay
  process.stdin.on('end', () => process.exit(1)).resume()
  process.stdin.unref()
}
