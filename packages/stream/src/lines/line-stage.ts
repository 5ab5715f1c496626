import { NEWLINE, OPEN_BRACE, skipByteOrderMark } from '@keystamp/core/internal'
import { type BytesOptions, maxRecordBytesOf, tooLarge } from '../bytes/bytes-options.ts'
import type { BytesStage } from '../bytes/drive-bytes.ts'
import { Carry } from '../bytes/carry.ts'
import { type Allocate, allocateFresh, Workbench } from '../bytes/workbench.ts'
import { type Counts, createCounts } from '../counts.ts'
import type { KeyStamper, Refusal } from '../key/key-stamper.ts'
import { createRejector, type Rejector } from '../reject/rejector.ts'

const LINE_END = Buffer.from('\n')

/** Settings of a stage that stamps parts of an input, each of which it gets as an input of its own. */
export interface LinePart {
  /** Lines of the input before each part, as far as they matter: a byte order mark can be in the first line only. */
  readonly linesBefore: number
  readonly createRejector: (counts: Counts) => Rejector<string>
  /** Called at the end of each part with the number of its lines. */
  readonly onEnd: (lines: number) => void
}

/**
 * Creates a stage that stamps lines of JSON. It stamps the complete lines of a chunk, and keeps an incomplete last line
 * until the next chunk.
 */
export function createLineStage(
  stamper: KeyStamper,
  options: BytesOptions,
  allocate: Allocate = allocateFresh,
  part?: LinePart
): BytesStage {
  const maxBytes = maxRecordBytesOf(options)
  const counts = createCounts()
  const rejector = part === undefined ? createRejector(options, counts) : part.createRejector(counts)
  const linesBefore = part?.linesBefore ?? 0
  const bench = new Workbench(allocate)
  const carry = new Carry()
  let input: { readonly input?: string } = {}
  let line = linesBefore
  // position in the input where the current chunk begins
  let chunkByte = 0
  // true after an oversized line is rejected, until the end of that line
  let isSkipping = false

  return { push, startInput, endInput, finish: rejector.finish, take, counts }

  function push(chunk: Buffer): void {
    counts.bytesIn += chunk.length
    const rest = chunk.lastIndexOf(NEWLINE) + 1
    if (rest > 0) stampLines(chunk.subarray(isSkipping ? skipLine(chunk) : 0, rest), chunkByte + rest)
    keepRest(chunk, rest)
    chunkByte += chunk.length
  }

  function startInput(name: string): void {
    input = { input: name }
  }

  function endInput(): void {
    if (carry.length > 0) stampLines(LINE_END, chunkByte + 1)
    isSkipping = false
    part?.onEnd(line - linesBefore)
    line = linesBefore
    chunkByte = 0
  }

  function take(): Buffer {
    const taken = bench.take()
    counts.bytesOut += taken.length
    bench.learn(counts)
    return taken
  }

  function skipLine(chunk: Buffer): number {
    isSkipping = false
    return chunk.indexOf(NEWLINE) + 1
  }

  function keepRest(chunk: Buffer, start: number): void {
    if (isSkipping || start === chunk.length) return
    if (carry.length + chunk.length - start <= maxBytes) return carry.append(chunk, start, chunk.length)
    const byte = chunkByte + start - carry.length
    isSkipping = true
    carry.clear()
    rejectLong(byte)
  }

  /**
   * Stamps `lines`, which are complete; the carry holds the beginning of the first one. `endByte`: position in the
   * input after `lines`.
   */
  function stampLines(lines: Buffer, endByte: number): void {
    let at = bench.load(carry.bytes, carry.length, lines)
    carry.clear()
    const { bytes, end } = bench
    const offset = endByte - end
    while (at < end) {
      const lineEnd = bytes.indexOf(NEWLINE, at)
      line++
      if (lineEnd - at > maxBytes) reject(tooLarge(maxBytes), at + offset, noText)
      else if (bytes[at] === OPEN_BRACE) stampRecord(bytes, at, lineEnd, offset)
      else stampUnusual(bytes, at, lineEnd, offset)
      at = lineEnd + 1
    }
  }

  function stampUnusual(bytes: Buffer, start: number, end: number, offset: number): void {
    const from = line === 1 ? skipByteOrderMark(bytes, start, end) : start
    if (!isBlank(bytes, from, end)) stampRecord(bytes, from, end, offset)
  }

  function stampRecord(bytes: Buffer, start: number, end: number, offset: number): void {
    const stamped = stamper.stampBytes(bytes, start, end)
    if (!stamped.ok)
      return reject(stamped, start + offset + (stamped.at ?? 0), () => bytes.toString('utf8', start, end))
    counts.records++
    bench.add(stamped)
    bench.addNewline()
  }

  function rejectLong(byte: number): void {
    line++
    reject(tooLarge(maxBytes), byte, noText)
  }

  function reject(refusal: Refusal, byte: number, text: () => string): void {
    counts.records++
    rejector.reject(refusal, { ...input, line, byte }, text)
  }
}

// an oversized line is not kept, so the rejection cannot contain it
function noText(): string {
  return ''
}

/** True for a line that contains only JSON whitespace. */
function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false
  }
  return true
}
