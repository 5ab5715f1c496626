/* oxlint-disable unicorn/require-post-message-target-origin -- a worker thread is not a window */
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type BenchServer, connectTo } from './server.ts'

/** Sends reads of single documents from a thread of its own, which the answers of queries do not delay. */
export interface Reader {
  /** Reads one after the other until some work is done; returns the milliseconds of each read. */
  readonly during: (work: Promise<unknown>) => Promise<number[]>
  readonly stop: () => Promise<unknown>
}

interface Task {
  readonly endpoint: string
  readonly path: string
  readonly key: string
}

/** Starts a thread that reads the document at a path, which may be absent. */
export function startReader({ endpoint }: BenchServer, path: string, key: string): Reader {
  const worker = new Worker(new URL(import.meta.url), { workerData: { endpoint, path, key } satisfies Task })
  return {
    during: async (work) => {
      const times = once(worker, 'message') as Promise<[number[]]>
      worker.postMessage('begin')
      await work
      worker.postMessage('end')
      return (await times)[0]
    },
    stop: () => worker.terminate()
  }
}

function readOnRequest({ endpoint, path, key }: Task): void {
  const server = connectTo('reads', new URL(endpoint), 0, () => Promise.resolve())
  const state = { isReading: false }
  const read = async (): Promise<number[]> => {
    const times: number[] = []
    while (state.isReading) {
      const begunMs = performance.now()
      await server.call('GET', path, { 'x-ms-documentdb-partitionkey': JSON.stringify([key]) })
      times.push(performance.now() - begunMs)
    }
    return times
  }
  parentPort!.on('message', (message) => {
    state.isReading = message === 'begin'
    if (state.isReading) void read().then((times) => parentPort!.postMessage(times))
  })
}

if (!isMainThread) readOnRequest(workerData as Task)
