import { TextDecoder } from 'node:util'
import { KeystampError } from '@keystamp/core'
import type { Token } from 'stream-json/core/parser.js'
import { type ArrayOptions, checkArrayOptions, maxRecordBytesOf, tooLarge } from '../bytes/bytes-options.ts'
import type { BytesStage } from '../bytes/drive-bytes.ts'
import { type Allocate, allocateFresh } from '../bytes/workbench.ts'
import { createCounts } from '../counts.ts'
import type { KeyStamper } from '../key/key-stamper.ts'
import { describePosition } from '../reject/rejected.ts'
import { createRejector } from '../reject/rejector.ts'
import { createArrayStage } from './array-stage.ts'
import { ElementOutput } from './element-output.ts'
import { createTokenPicker, ElementTexts } from './element-texts.ts'

/**
 * Creates the stage for an array. The stage scans the bytes if the array is the whole document, and uses a parser if
 * `pick` names an array inside the document.
 */
export function createElementStage(stamper: KeyStamper, options: ArrayOptions, allocate?: Allocate): BytesStage {
  const { pick } = options
  return pick === undefined
    ? createArrayStage(stamper, options, allocate)
    : createPickStage(stamper, { ...options, pick }, allocate)
}

/** Stamps the elements of an array inside a larger document, which stream-json parses. */
function createPickStage(
  stamper: KeyStamper,
  options: ArrayOptions & { readonly pick: string },
  allocate: Allocate = allocateFresh
): BytesStage {
  checkArrayOptions(options)
  const { pick, to = 'lines' } = options
  const maxBytes = maxRecordBytesOf(options)
  const counts = createCounts()
  const rejector = createRejector(options, counts)
  const output = new ElementOutput(to, allocate)
  let input: { readonly input?: string } = {}
  let picker = createTokenPicker(pick)
  let decoder = createDecoder()
  let texts = new ElementTexts()
  let index = 0
  // true until a byte that is not whitespace has arrived
  let isEmpty = true

  return { push, startInput, endInput, finish, take, counts }

  function push(chunk: Buffer): void {
    counts.bytesIn += chunk.length
    stampAll(() => {
      const text = decoder.decode(chunk, { stream: true })
      isEmpty &&= text.trim() === ''
      return picker.push(text)
    })
  }

  function startInput(name: string): void {
    input = { input: name }
  }

  function endInput(): void {
    stampAll(() => picker.push(decoder.decode()))
    if (isEmpty)
      throw new KeystampError('INPUT_INVALID', `${describePosition({ ...input, byte: 0 })}: the input is empty.`)
    stampAll(picker.finish)
    if (texts.isArray !== true) throw invalid(`there is no array at ${pick}`)
    picker = createTokenPicker(pick)
    decoder = createDecoder()
    texts = new ElementTexts()
    index = 0
    isEmpty = true
  }

  function finish(): void {
    rejector.finish()
    output.finish()
  }

  function take(): Buffer {
    const taken = output.take()
    counts.bytesOut += taken.length
    return taken
  }

  function stampAll(read: () => readonly Token[]): void {
    for (const token of readTokens(read)) {
      const text = texts.take(token)
      if (texts.isArray === false) throw invalid(`there is no array at ${pick}`)
      if (text !== undefined) stampElement(text)
      else if (texts.length > maxBytes) rejectLong()
    }
  }

  /** Rejects an element that exceeds `maxRecordBytes`, and skips its remainder. */
  function rejectLong(): void {
    counts.records++
    texts.skip()
    // the element is not kept, so the rejection cannot contain it
    rejector.reject(tooLarge(maxBytes), { ...input, index }, () => '')
    index++
  }

  function stampElement(text: string): void {
    counts.records++
    const bytes = Buffer.from(text)
    const stamped = bytes.length > maxBytes ? tooLarge(maxBytes) : stamper.stampBytes(bytes, 0, bytes.length)
    if (stamped.ok) output.addOnOneLine(stamped)
    else rejector.reject(stamped, { ...input, index }, () => text)
    index++
  }

  function readTokens(read: () => readonly Token[]): readonly Token[] {
    try {
      return read()
    } catch (cause) {
      throw invalid('the document is not valid JSON in UTF-8; nothing after this record can be read', cause)
    }
  }

  function invalid(what: string, cause?: unknown): KeystampError {
    return new KeystampError(
      'INPUT_INVALID',
      `${describePosition({ ...input, index })}: ${what}.`,
      cause === undefined ? undefined : { cause }
    )
  }
}

function createDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true })
}
