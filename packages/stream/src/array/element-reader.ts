import { createPlan, type Rejection, type StampedBytes } from '@keystamp/core'
import type { KeyStamper } from '../key/key-stamper.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import { createElementStage } from './pick-stage.ts'

/** An element of an array. An oversized element has a rejection and no bytes. */
export interface Element {
  readonly bytes: Buffer
  readonly rejection: Rejection | undefined
}

/**
 * Returns the elements of an array without stamping them. The array is the whole document, or is inside it if `pick` is
 * set. Throws INPUT_INVALID if the elements cannot be separated.
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
    // the stage rejects oversized elements only: its stamper rejects none
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

/** Creates a stamper that changes no element, and calls `take` with the bytes of each element in order. */
function createCapture(take: (bytes: Buffer) => void): KeyStamper {
  // any plan will do, because the end of an element does not depend on the plan
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

// has its key already, so stamping it makes no splices
const SAMPLE = Buffer.from('{"id":"-","unused":"-"}')
const NOTHING = Buffer.alloc(0)
