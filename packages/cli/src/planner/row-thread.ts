import type { Worker } from 'node:worker_threads'
import type { BlockMemory, RecordBlock, RowOptions } from '@keystamp/planner'

/** Blocks that wait in the thread: one that it reads, and one more, so that it never waits for the first thread. */
const MAX_SENT = 2

/** A second thread that reads the records of blocks into their rows, in the order in which it gets them. */
export class RowThread {
  readonly #worker: Worker
  readonly #sent: RecordBlock[] = []
  #isReady = false
  #failure: Error | undefined
  #wake: (() => void) | undefined

  constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', () => {
      // the first message tells that the thread has loaded its modules
      if (this.#isReady) this.#sent.shift()!.isRead = true
      this.#isReady = true
      this.#wake?.()
    })
    worker.on('error', (error: Error) => this.#fail(error.message))
    worker.on('exit', () => this.#fail('it has ended'))
  }

  /** Whether the thread can take a block now. Throws if the thread has failed. */
  canTake(): boolean {
    if (this.#failure !== undefined) throw this.#failure
    return this.#isReady && this.#sent.length < MAX_SENT
  }

  /** Sets what to read from the records of all further blocks. */
  use({ candidates, fields, timeField, transactions }: RowOptions): void {
    this.#post({ options: { candidates, fields, timeField, transactions } })
  }

  /** Begins to read a block. */
  send(block: RecordBlock): void {
    this.#sent.push(block)
    this.#post({ memory: block.memory, records: block.records })
  }

  /** Waits until the thread has read a block. Throws if the thread has failed. */
  async read(block: RecordBlock): Promise<void> {
    while (!block.isRead) {
      if (this.#failure !== undefined) throw this.#failure
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  async end(): Promise<void> {
    this.#worker.removeAllListeners()
    await this.#worker.terminate()
  }

  #post(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
    this.#worker.postMessage(message)
  }

  #fail(why: string): void {
    this.#failure ??= new Error(
      `The thread that reads records has failed: ${why}. Run the command again. If memory is short, --sample 100000 needs less of it.`
    )
    this.#wake?.()
  }
}

/** Request to the thread: the fields to read from now on, or a block to read, whose memory is shared and not copied. */
type Message = { readonly options: RowOptions } | { readonly memory: BlockMemory; readonly records: number }
