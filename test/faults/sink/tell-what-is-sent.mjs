// Preloaded into a sink process, so that each of its requests to Cosmos DB can be recognized:
//   node --import 'tell-what-is-sent.mjs?file=<file>' keystamp.mjs sink --config sink.yaml
// The file gets one JSON line for each request: its activity id, the time at which `end()` was called, how long that
// call took, and the documents that it writes. Nothing is parsed and nothing is written before `end()` has returned:
// work between the product's last check and its write would widen the very window that the scenarios measure.
import { openSync, writeSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { holdStopPoints, stopAt } from './stop-points.mjs'

const { searchParams } = new URL(import.meta.url)
const log = openSync(searchParams.get('file'), 'a')

for (const module of [http, https]) module.request = withNotes(module.request)
syncBuiltinESMExports()

/** The sink of a file of one runs in a thread; the main thread takes orders from the runner. */
if (!isMainThread) noteIdentity()
holdStopPoints({ say: (line) => note(line), require: createRequire(import.meta.url) })

function withNotes(request) {
  return (options, ...rest) => {
    // the writer alone passes its headers as a list
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
 * Notes once under which id this process commits, so that commits in `__consumer_offsets` can be told by the sink's
 * name.
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
