import { Worker } from 'node:worker_threads'
import type { BlockAnswer, BlockRequest, BlockSettings } from './stamp-blocks.ts'

const THREAD = new URL('../../../bin/stamp-lines.mjs', import.meta.url)
/** Stamping leaves only short-lived objects, so more memory would make it no faster. */
const YOUNG_MB = 12

/** Threads that stamp blocks. Each works on its blocks in their order. */
export class LineThreads {
  readonly #threads: readonly Thread[]

  constructor(count: number, settings: BlockSettings) {
    this.#threads = Array.from({ length: count }, () => new Thread(settings))
  }

  /** Stamps a block in the thread that has the fewest. Rejects if the thread has failed. */
  stamp(request: BlockRequest): Promise<BlockAnswer> {
    return this.#threads.reduce((least, each) => (each.waiting < least.waiting ? each : least)).stamp(request)
  }

  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()))
  }
}

interface Waiting {
  readonly resolve: (answer: BlockAnswer) => void
  readonly reject: (error: Error) => void
}

class Thread {
  readonly #worker: Worker
  readonly #waiting: Waiting[] = []
  #failure: Error | undefined

  constructor(settings: BlockSettings) {
    // without the options of the process: some, such as `--input-type`, are not possible in a thread
    this.#worker = new Worker(THREAD, {
      workerData: settings,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB }
    })
    this.#worker.on('message', (answer: BlockAnswer) => this.#waiting.shift()!.resolve(answer))
    this.#worker.on('error', (error: Error) => this.#fail(error.message))
    this.#worker.on('exit', () => this.#fail('it has ended'))
  }

  get waiting(): number {
    return this.#waiting.length
  }

  stamp(request: BlockRequest): Promise<BlockAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure)
      this.#waiting.push({ resolve, reject })
      const { memory, output } = request
      this.#worker.postMessage(request, output === undefined ? [memory] : [memory, output])
    })
  }

  async end(): Promise<void> {
    this.#worker.removeAllListeners('exit')
    await this.#worker.terminate()
  }

  #fail(why: string): void {
    this.#failure ??= new Error(`A thread that stamps lines has failed: ${why}. Run it again without threads.`)
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure)
  }
}
