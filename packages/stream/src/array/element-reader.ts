import { createPlan, type Rejection, type StampedBytes } from '@keystamp/core'
import type { KeyStamper } from '../key/key-stamper.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import { createElementStage } from './pick-stage.ts'

/** An element of an array; an oversized one has no bytes. */
export interface Element {
  readonly bytes: Buffer
  readonly rejection: Rejection | undefined
}

/**
 * Returns the unchanged elements of an array, which is the document or inside of it. Throws INPUT_INVALID where the
 * elements cannot be separated.
 */
export interface ElementReader {
  readonly push: (chunk: Buffer) => readonly Element[]
  readonly finish: () => readonly Element[]
}

export interface ElementReaderOptions {
  readonly input?: string
  readonly pick?: string | undefined
  readonly maxRecordBytes: number
}

export function createElementReader({ input, pick, maxRecordBytes }: ElementReaderOptions): ElementReader {
  let elements: Element[] = []
  const stage = createElementStage(createCapture(take), {
    pick,
    maxRecordBytes,
    // oversized elements are the only ones that the stage itself rejects
    onError: ({ code, path, message }) =>
      elements.push({ bytes: NOTHING, rejection: { ok: false, code, path, at: undefined, message } })
  })
  if (input !== undefined) stage.startInput(input)
  return {
    push: (chunk) => {
      stage.push(chunk)
      return takeAll()
    },
    finish: () => {
      stage.endInput()
      return takeAll()
    }
  }

  function take(bytes: Buffer): void {
    if (bytes.length <= maxRecordBytes) elements.push({ bytes: Buffer.from(bytes), rejection: undefined })
  }

  function takeAll(): readonly Element[] {
    stage.take()
    const taken = elements
    elements = []
    return taken
  }
}

/** A stamper that changes nothing and collects the elements in their order. */
function createCapture(take: (bytes: Buffer) => void): KeyStamper {
  // the end of an element does not depend on the plan
  const finder = toKeyStamper(createPlan({ into: '/unused', from: [{ id: true }] }), {})
  const sample = finder.stampBytes(SAMPLE, 0, SAMPLE.length) as StampedBytes
  return {
    ...finder,
    stampBytes: (bytes, start, end) => captured(bytes, start, end),
    stampElement: (bytes, start, limit) => {
      const element = finder.stampElement(bytes, start, limit)
      if (element?.end === undefined) return element
      return { result: captured(bytes, start, element.end), end: element.end }
    }
  }

  function captured(bytes: Buffer, start: number, end: number): ReturnType<KeyStamper['stampBytes']> {
    take(bytes.subarray(start, end))
    return { ...sample, bytes, start, end }
  }
}

// nothing is written into an element
const SAMPLE = Buffer.from('{"id":"-","unused":"-"}')
const NOTHING = Buffer.alloc(0)
