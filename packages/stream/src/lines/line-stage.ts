import { type BytesOptions, maxRecordBytesOf } from '../bytes/bytes-options.ts'
import type { BytesStage } from '../bytes/bytes-stage.ts'
import { Carry } from '../bytes/carry.ts'
import { type Allocate, allocateFresh, Output } from '../bytes/output.ts'
import { OutputSize } from '../bytes/output-size.ts'
import { tooLarge } from '../bytes/too-large.ts'
import { createCounts } from '../flow/counts.ts'
import type { KeyStamper } from '../key/key-stamper.ts'
import { createRejector } from '../reject/rejector.ts'
import { isBlank, skipByteOrderMark } from './line-text.ts'

const NEWLINE = 0x0a
const OPEN_BRACE = 0x7b

/** Stamps lines of JSON. A line is looked at once it is whole; what a chunk ends within is carried to the next. */
export function createLineStage(stamper: KeyStamper, options: BytesOptions, allocate: Allocate = allocateFresh): BytesStage {
  const maxBytes = maxRecordBytesOf(options)
  const counts = createCounts()
  const rejector = createRejector(options, counts)
  const output = new Output(allocate)
  const size = new OutputSize()
  const carry = new Carry()
  let input: { readonly input?: string } = {}
  let line = 0
  // where the present chunk begins in the input, and where the line does that was carried into it
  let chunkByte = 0
  let carriedByte = 0
  // true between the rejection of a line that is too long and its end
  let isSkipping = false

  return { push, startInput, endInput, finish: rejector.finish, take, counts }

  function push(chunk: Buffer): void {
    counts.bytesIn += chunk.length
    const first = chunk.indexOf(NEWLINE)
    if (first >= 0) {
      output.expect(size.expectedFor(chunk.length + carry.length))
      stampLines(chunk, first)
    }
    const rest = chunk.lastIndexOf(NEWLINE) + 1
    if (rest < chunk.length) {
      if (rest > 0 || carry.length === 0) carriedByte = chunkByte + rest
      carryOn(chunk, rest, chunk.length)
    }
    chunkByte += chunk.length
  }

  function stampLines(chunk: Buffer, first: number): void {
    let at = 0
    if (carry.length > 0 || isSkipping) {
      carryOn(chunk, 0, first + 1)
      endCarried()
      at = first + 1
    }
    for (let end = chunk.indexOf(NEWLINE, at); end >= 0; end = chunk.indexOf(NEWLINE, at)) {
      if (end - at > maxBytes) rejectLong(chunkByte + at)
      else stampLine(chunk, at, end, chunkByte + at)
      at = end + 1
    }
    output.settle()
  }

  function startInput(name: string): void {
    input = { input: name }
  }

  function endInput(): void {
    if (carry.length > 0 || isSkipping) {
      carryOn(LINE_END, 0, 1)
      endCarried()
    }
    line = 0
    chunkByte = 0
  }

  function take(): Buffer {
    const taken = output.take()
    counts.bytesOut += taken.length
    size.learn(counts)
    return taken
  }

  function carryOn(chunk: Buffer, start: number, end: number): void {
    if (isSkipping) return
    // one more for the line's end, which comes along
    if (carry.length + end - start <= maxBytes + 1) return carry.append(chunk, start, end)
    isSkipping = true
    carry.clear()
    rejectLong(carriedByte)
  }

  function endCarried(): void {
    if (!isSkipping) {
      stampLine(carry.bytes, 0, carry.length - 1, carriedByte)
      output.settle()
    }
    isSkipping = false
    carry.clear()
  }

  function stampLine(bytes: Buffer, start: number, end: number, byte: number): void {
    line++
    if (bytes[start] !== OPEN_BRACE) return stampUnusual(bytes, start, end, byte)
    stampRecord(bytes, start, end, byte)
  }

  function stampUnusual(bytes: Buffer, start: number, end: number, byte: number): void {
    const from = line === 1 ? skipByteOrderMark(bytes, start, end) : start
    if (!isBlank(bytes, from, end)) stampRecord(bytes, from, end, byte + from - start)
  }

  function stampRecord(bytes: Buffer, start: number, end: number, byte: number): void {
    counts.records++
    const stamped = stamper.stampBytes(bytes, start, end)
    if (!stamped.ok) {
      rejector.reject(stamped, { ...input, line, byte: byte + (stamped.at ?? 0) }, () => bytes.toString('utf8', start, end))
      return
    }
    output.add(bytes, stamped)
    output.addNewline(bytes, stamped.end)
  }

  function rejectLong(byte: number): void {
    line++
    counts.records++
    rejector.reject(tooLarge(maxBytes), { ...input, line, byte }, () => '')
  }
}

const LINE_END = Buffer.from('\n')
