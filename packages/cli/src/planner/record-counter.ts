import { setImmediate } from 'node:timers/promises'
import { createProfiler, type Profiler, type ProfilerOptions, RecordBlock, type SampleProfile } from '@keystamp/planner'
import type { RecordBytes } from './read-sample.ts'
import type { RowThread } from './row-thread.ts'

/** Upper bound for blocks that are not counted yet. The main thread waits for a slow thread after that many. */
const MAX_WAITING = 8
/** Records and bytes of a block, unless a single record is larger. A message for each record would cost more than it saves. */
const BLOCK_RECORDS = 256
const BLOCK_BYTES = 1 << 18

/**
 * Counts records in their order. With a second thread, both threads read records into rows, and the main thread counts
 * the rows: the counts are the same as those of one thread.
 */
export class RecordCounter {
  readonly #profiler: Profiler
  readonly #isRandom: boolean
  readonly #thread: RowThread | undefined
  /** Block that is being filled. */
  #open: RecordBlock | undefined
  readonly #waiting: RecordBlock[] = []
  readonly #free: RecordBlock[] = []

  constructor(options: ProfilerOptions, thread: RowThread | undefined) {
    this.#profiler = createProfiler(options)
    // the random numbers of suffixes must come from one source, in the order of the records
    this.#isRandom = JSON.stringify(options.candidates).includes('"by":"random"')
    this.#thread = this.#isRandom ? undefined : thread
    this.#thread?.use(options)
  }

  /** Adds records. Their bytes are not needed afterwards. */
  async add(records: readonly RecordBytes[]): Promise<void> {
    for (const record of records) {
      if (this.#isRandom) this.#profiler.add(record)
      else {
        this.#open ??= this.#newBlock(record.length)
        if (this.#open.add(record)) continue
        await this.#read(this.#open)
        this.#open = this.#newBlock(record.length)
        this.#open.add(record)
      }
    }
  }

  async finish(): Promise<SampleProfile> {
    if (this.#open !== undefined) await this.#read(this.#open)
    while (this.#waiting.length > 0) await this.#countFirst()
    return this.#profiler.finish()
  }

  /** Reads a block in the thread, or in this one if the thread has enough blocks. Counts the blocks that are read. */
  async #read(block: RecordBlock): Promise<void> {
    const thread = this.#thread
    // the messages of the thread arrive between two turns of the event loop
    if (thread !== undefined) await setImmediate()
    this.#countRead()
    if (this.#waiting.length === MAX_WAITING) await this.#countFirst()
    this.#waiting.push(block)
    if (thread?.canTake() === true) return thread.send(block)
    block.read(this.#profiler.rowReader)
    this.#countRead()
  }

  async #countFirst(): Promise<void> {
    await this.#thread?.read(this.#waiting[0])
    this.#countRead()
  }

  /** Counts the blocks that are read, up to the first one that is not. */
  #countRead(): void {
    for (let [block] = this.#waiting; block?.isRead; [block] = this.#waiting) {
      this.#waiting.shift()
      this.#profiler.addBlock(block)
      // one for a very large record would keep its memory
      if (block.size === BLOCK_BYTES) this.#free.push(block)
    }
  }

  /** Returns a block for a record of this size, and for more: one that has been counted, if possible. */
  #newBlock(bytes: number): RecordBlock {
    const free = bytes <= BLOCK_BYTES ? this.#free.pop() : undefined
    return (
      free?.clear() ?? new RecordBlock(Math.max(BLOCK_BYTES, bytes), BLOCK_RECORDS, this.#profiler.rowReader.length)
    )
  }
}
