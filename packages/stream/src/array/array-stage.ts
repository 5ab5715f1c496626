import { KeystampError } from '@keystamp/core'
import {
  BACKSLASH,
  BYTE_ORDER_MARK_BYTES,
  BYTE_ORDER_MARK_START,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipByteOrderMark,
  SPACE
} from '@keystamp/core/internal'
import { type ArrayOptions, checkArrayOptions, maxRecordBytesOf, tooLarge } from '../bytes/bytes-options.ts'
import { Carry } from '../bytes/carry.ts'
import type { BytesStage } from '../bytes/drive-bytes.ts'
import { type Allocate, allocateFresh } from '../bytes/workbench.ts'
import { createCounts } from '../counts.ts'
import type { ElementResult, KeyStamper } from '../key/key-stamper.ts'
import { describePosition } from '../reject/rejected.ts'
import { createRejector } from '../reject/rejector.ts'
import { ElementOutput } from './element-output.ts'

const NOTHING = Buffer.alloc(0)

type Expected = 'array' | 'first' | 'element' | 'separator' | 'nothing'

/**
 * Creates a stage that stamps the elements of one JSON array. It scans an element when the element may be complete, and
 * keeps an incomplete element until the next chunk.
 */
export function createArrayStage(
  stamper: KeyStamper,
  options: ArrayOptions,
  allocate: Allocate = allocateFresh
): BytesStage {
  checkArrayOptions(options)
  const maxBytes = maxRecordBytesOf(options)
  const toLines = options.to !== 'array'
  const counts = createCounts()
  const rejector = createRejector(options, counts)
  const output = new ElementOutput(options.to ?? 'lines', allocate)
  const carry = new Carry()
  const rescans = new RescanThrottle()
  let input: { readonly input?: string } = {}
  let expected: Expected = 'array'
  let index = 0
  // set when an oversized element is rejected, until the end of that element
  let skipper: ElementSkipper | undefined
  let at = 0
  // `offset`: position in the input minus position in the workbench; `inputBytes`: number of input bytes so far
  let offset = 0
  let inputBytes = 0
  // position of the first line end at or after `at`; a value below `at` is outdated
  let nextLineEnd = -1

  return { push, startInput, endInput, finish, take, counts }

  function push(chunk: Buffer): void {
    counts.bytesIn += chunk.length
    inputBytes += chunk.length
    const from = skipper === undefined ? 0 : skipOn(chunk)
    if (from < chunk.length) takeChunk(chunk.subarray(from))
  }

  function takeChunk(chunk: Buffer): void {
    if (rescans.shouldRescan(carry.length + chunk.length, chunk)) stampElements(chunk)
    else carry.append(chunk, 0, chunk.length)
    // the element in the carry may be complete, because its scan may have been postponed
    if (carry.length > maxBytes) stampElements(NOTHING)
    if (carry.length > maxBytes) rejectLong()
  }

  /** Rejects an element that exceeds `maxRecordBytes`, and skips its remainder. */
  function rejectLong(): void {
    counts.records++
    skipper = new ElementSkipper()
    skipper.skip(carry.bytes, 0, carry.length)
    carry.clear()
    rescans.reset()
    // the element is not kept, so the rejection cannot contain it
    rejector.reject(tooLarge(maxBytes), { ...input, index, byte: at + offset }, () => '')
    index++
  }

  function skipOn(chunk: Buffer): number {
    const end = skipper?.skip(chunk, 0, chunk.length) ?? 0
    if (end < 0) return chunk.length
    skipper = undefined
    expected = 'separator'
    return end
  }

  function startInput(name: string): void {
    input = { input: name }
  }

  function endInput(): void {
    stampElements(NOTHING)
    if (expected !== 'nothing') {
      throw invalid(
        at,
        expected === 'array' && carry.length === 0 ? 'the input is empty' : 'the array ends before it is complete'
      )
    }
    rescans.reset()
    expected = 'array'
    index = 0
    inputBytes = 0
  }

  function finish(): void {
    rejector.finish()
    output.finish()
  }

  function take(): Buffer {
    const taken = output.take()
    counts.bytesOut += taken.length
    output.learn(counts)
    return taken
  }

  function stampElements(chunk: Buffer): void {
    at = output.load(carry.bytes, carry.length, chunk)
    carry.clear()
    nextLineEnd = -1
    const { bytes, end } = output
    offset = inputBytes - end
    skipMark(bytes, end)
    for (;;) {
      let byte = bytes[at]
      while (at < end && isWhitespace(byte)) byte = bytes[++at]
      if (at === end) return
      if (expected === 'element' || (expected === 'first' && byte !== CLOSE_BRACKET)) {
        const element = stamper.stampElement(bytes, at, end)
        if (element === undefined) return waitForMore(bytes, end)
        takeElement(bytes, element)
      } else if (expected === 'array' && end - at < BYTE_ORDER_MARK_BYTES && byte === BYTE_ORDER_MARK_START)
        return waitForMore(bytes, end)
      else takePunctuation(byte)
    }
  }

  function waitForMore(bytes: Buffer, end: number): void {
    rescans.wait(end - at)
    carry.append(bytes, at, end)
  }

  function takeElement(bytes: Buffer, { result, end }: ElementResult): void {
    const start = at
    counts.records++
    if (end === undefined) throw brokenAt(start, result)
    at = end
    expected = 'separator'
    if (!result.ok || end - start > maxBytes) {
      const refusal = result.ok ? tooLarge(maxBytes) : result
      const byte = start + offset + (refusal.at ?? 0)
      rejector.reject(refusal, { ...input, index, byte }, () => bytes.toString('utf8', start, end))
    } else if (toLines && nextLineEndFrom(bytes, start) < end) output.addOnOneLine(result)
    else {
      // replaces the comma by a line end in the buffer, so that one copy moves it together with the bytes around it
      if (toLines && bytes[end] === COMMA) takeComma(bytes)
      output.addElement(result)
    }
    index++
  }

  function takeComma(bytes: Buffer): void {
    bytes[at++] = NEWLINE
    expected = 'element'
  }

  function nextLineEndFrom(bytes: Buffer, start: number): number {
    if (nextLineEnd < start) {
      const found = bytes.indexOf(NEWLINE, start)
      nextLineEnd = found < 0 ? bytes.length : found
    }
    return nextLineEnd
  }

  function takePunctuation(byte: number): void {
    if (expected === 'array' && byte === OPEN_BRACKET) expected = 'first'
    else if (expected === 'separator' && byte === COMMA) expected = 'element'
    else if ((expected === 'separator' || expected === 'first') && byte === CLOSE_BRACKET) expected = 'nothing'
    else throw invalid(at, WRONG[expected])
    at++
  }

  function skipMark(bytes: Buffer, end: number): void {
    if (expected === 'array' && at + offset === 0) at = skipByteOrderMark(bytes, at, end)
  }

  function brokenAt(start: number, result: ElementResult['result']): KeystampError {
    if (result.ok) return invalid(start, 'the end of this record cannot be determined')
    return invalid(start + (result.at ?? 0), `${result.message} Nothing after it can be read`)
  }

  function invalid(where: number, what: string): KeystampError {
    const position = { ...input, ...(expected === 'array' ? {} : { index }), byte: where + offset }
    return new KeystampError('INPUT_INVALID', `${describePosition(position)}: ${what}.`)
  }
}

const WRONG: Readonly<Record<Expected, string>> = {
  array:
    'the input is not a JSON array: it does not begin with [. Lines of JSON need no option; an array inside a document is picked',
  first: 'a record is missing here',
  element: 'a record is missing here',
  separator: 'there is neither a comma nor the end of the array after the previous record',
  nothing: 'something follows the end of the array'
}

function isWhitespace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/**
 * Decides when to scan an incomplete record again, so that a long record in small chunks is not scanned once for each
 * chunk.
 */
export class RescanThrottle {
  #waitFor = 0
  #isWaiting = false

  /** Called when `length` bytes did not contain the whole record. */
  wait(length: number): void {
    this.#isWaiting = true
    this.#waitFor = length < SHORT_BYTES ? 0 : length * GROWTH
  }

  /** True if the record may be complete. `length`: number of its bytes so far; `chunk`: the last of these bytes. */
  shouldRescan(length: number, chunk: Buffer): boolean {
    if (!this.#isWaiting) return true
    if (
      length < this.#waitFor ||
      (!chunk.includes(CLOSE_BRACE) && !chunk.includes(COMMA) && !chunk.includes(CLOSE_BRACKET))
    )
      return false
    this.#isWaiting = false
    return true
  }

  reset(): void {
    this.#isWaiting = false
  }
}

// a shorter record is scanned again with every chunk, because waiting would delay a slow stream
const SHORT_BYTES = 64 * 1024
const GROWTH = 1.25

/**
 * Finds the end of an oversized element, chunk by chunk. Counts brackets and recognizes strings, and does not validate
 * the JSON.
 */
class ElementSkipper {
  #depth = 0
  #isInString = false
  #isEscaped = false
  #hasBegun = false

  /** Returns the position after the element in `bytes[start, end)`; -1 if the element continues after `end`. */
  skip(bytes: Uint8Array, start: number, end: number): number {
    for (let at = start; at < end; at++) {
      const byte = bytes[at]
      if (this.#isInString) {
        if (this.#endsString(byte) && this.#depth === 0) return at + 1
      } else if (byte === QUOTE) this.#isInString = true
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++
      else if (this.#depth === 0 && this.#hasBegun && endsScalar(byte)) return at
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --this.#depth === 0) return at + 1
      this.#hasBegun = true
    }
    return -1
  }

  #endsString(byte: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else this.#isInString = byte !== QUOTE
    return !this.#isInString
  }
}

function endsScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACKET || byte <= SPACE
}
