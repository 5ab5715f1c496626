// Preloaded into a sink process, so that each of its requests to Cosmos DB can be recognized:
//   node --import 'note-requests.mjs?file=<file>' keystamp.mjs sink --config sink.yaml
// The file gets one JSON line for each request: its activity id, the time at which `end()` was called, how long that
// call took, and the documents that the request writes. Before `end()` has returned, nothing is parsed and nothing is
// written to the file. Such work would delay the write after the sink's last check, and so widen the window that the
// scenarios measure.
import { openSync, writeSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { followRunner, stopAt } from './stop-points.mjs'

const { searchParams } = new URL(import.meta.url)
const log = openSync(searchParams.get('file'), 'a')

for (const module of [http, https]) module.request = withNotes(module.request)
syncBuiltinESMExports()

// a single sink runs in a worker thread; the main thread only reads the orders of the runner
if (!isMainThread) noteIdentity()
followRunner({ note, require: createRequire(import.meta.url) })

function withNotes(request) {
  return (options, ...rest) => {
    // only the writer passes its headers as a list
    if (!Array.isArray(options.headers)) return request(options, ...rest)
    const activity = options.headers[options.headers.indexOf('x-ms-activity-id') + 1]
    const call = request(options, ...rest)
    const { write, end } = call
    const chunks = []
    call.write = function (chunk, ...more) {
      chunks.push(chunk)
      return write.call(this, chunk, ...more)
    }
    call.end = function (chunk, ...more) {
      const endMs = Date.now()
      stopAt('end', activity)
      const result = end.call(this, chunk, ...more)
      const tookMs = Date.now() - endMs
      if (chunk !== undefined) chunks.push(chunk)
      note({ activity, endMs, tookMs, writes: writesOf(Buffer.concat(chunks)) })
      return result
    }
    return call
  }
}

function writesOf(body) {
  return JSON.parse(body).map(({ id, resourceBody }) => [resourceBody?.id ?? id, resourceBody?.mark ?? null])
}

function note(line) {
  writeSync(log, `${JSON.stringify(line)}\n`)
}

/**
 * Notes once the id in the metadata of this process's commits, which maps commits in `__consumer_offsets` to the sink.
 */
function noteIdentity() {
  const Broker = createRequire(import.meta.url)('kafkajs/src/broker/index.js')
  const { offsetCommit } = Broker.prototype
  let isNoted = false
  Broker.prototype.offsetCommit = function (request) {
    const answer = offsetCommit.call(this, request)
    if (!isNoted) {
      const by = /"by":"([^"]+)"/.exec(JSON.stringify(request.topics).replaceAll('\\', ''))?.[1]
      isNoted = by !== undefined
      if (isNoted) note({ identity: by })
    }
    return answer
  }
}
