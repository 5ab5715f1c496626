import type { Counts } from '@keystamp/stream'
import { createCounts, createRejector, type FileStage, type Rejector, tooLarge } from '@keystamp/stream/internal'
import { LineCutter, type LineBlock } from './line-cutter.ts'
import { LineThreads } from './line-threads.ts'
import type { BlockAnswer, BlockSettings } from './stamp-blocks.ts'

/** Blocks for each thread that are not settled yet: one that it stamps, one that waits, and one to be written. */
const BLOCKS_OF_THREAD = 3

const NOTHING = Buffer.alloc(0)

/** Writes the output of a block. When it resolves, the output of the block before is not needed any more. */
type WriteBlock = (bytes: Buffer) => Promise<void>

/** A block that is being stamped, or one line that is too long. */
interface Open {
  readonly block: LineBlock
  readonly answer: Promise<BlockAnswer> | undefined
  isAnswered: boolean
}

/**
 * Stamps lines in several threads. Output, rejected records and their positions are as with one thread: blocks are
 * settled in their order.
 */
export class ThreadedLines implements FileStage {
  readonly counts: Counts = createCounts()
  readonly #threads: LineThreads
  readonly #maxOpen: number
  readonly #cutter: LineCutter
  readonly #maxRecordBytes: number
  readonly #rejector: Rejector<string>
  readonly #write: WriteBlock
  readonly #open: Open[] = []
  /** Memory for outputs that is free, and that of the output that is being written. */
  readonly #outputs: ArrayBuffer[] = []
  #written: ArrayBuffer | undefined
  #input: { readonly input?: string } = {}
  /** Lines and bytes of the input before the next block that is settled. */
  #lines = 0
  #bytes = 0

  constructor(
    threads: number,
    settings: BlockSettings,
    blockBytes: number,
    options: Parameters<typeof createRejector<string>>[0],
    write: WriteBlock
  ) {
    this.#threads = new LineThreads(threads, settings)
    this.#maxOpen = threads * BLOCKS_OF_THREAD
    this.#maxRecordBytes = settings.maxRecordBytes
    this.#cutter = new LineCutter(blockBytes, settings.maxRecordBytes)
    this.#rejector = createRejector(options, this.counts)
    this.#write = write
  }

  startInput(name: string): void {
    this.#input = { input: name }
  }

  /** Adds bytes of the input. Settles the blocks that are stamped; waits for one if too many are not. */
  async push(chunk: Buffer): Promise<void> {
    this.counts.bytesIn += chunk.length
    for (const block of this.#cutter.add(chunk)) await this.#begin(block)
    while (this.#open[0]?.isAnswered) await this.#settleFirst()
  }

  /** Ends an input; another one may follow. */
  async endInput(): Promise<void> {
    for (const block of this.#cutter.end()) await this.#begin(block)
    while (this.#open.length > 0) await this.#settleFirst()
    this.#lines = 0
    this.#bytes = 0
  }

  /** The output is written already. */
  take(): Buffer {
    return NOTHING
  }

  finish(): void {
    this.#rejector.finish()
  }

  async close(): Promise<void> {
    await this.#threads.end()
  }

  async #begin(block: LineBlock): Promise<void> {
    while (this.#open.length >= this.#maxOpen) await this.#settleFirst()
    const answer = block.kind === 'long' ? undefined : this.#threads.stamp({ ...block, output: this.#outputs.pop() })
    const open = { block, answer, isAnswered: answer === undefined }
    this.#open.push(open)
    // the call that settles the block gets the error
    answer?.then(
      () => (open.isAnswered = true),
      () => (open.isAnswered = true)
    )
  }

  async #settleFirst(): Promise<void> {
    const { block, answer } = this.#open.shift()!
    if (block.kind === 'long') this.#rejectLong()
    else {
      const { memory, output, bytes, records, lines, rejections } = await answer!
      const before = this.counts.records
      for (const { refusal, line, byte, records: upTo, text } of rejections) {
        // a percentage of rejected records is checked after each of them
        this.counts.records = before + upTo
        this.#reject(refusal, this.#lines + line, this.#bytes + byte, text ?? '')
      }
      this.counts.records = before + records
      this.counts.bytesOut += bytes
      this.#lines += lines
      await this.#write(Buffer.from(output, 0, bytes))
      if (this.#written !== undefined) this.#outputs.push(this.#written)
      this.#written = output
      this.#cutter.giveBack(memory)
    }
    this.#bytes += block.bytes
  }

  #rejectLong(): void {
    this.#lines += 1
    this.counts.records += 1
    // the text is not kept
    this.#reject(tooLarge(this.#maxRecordBytes), this.#lines, this.#bytes, '')
  }

  #reject(refusal: Parameters<Rejector<string>['reject']>[0], line: number, byte: number, text: string): void {
    this.#rejector.reject(refusal, { ...this.#input, line, byte }, () => text)
  }
}
