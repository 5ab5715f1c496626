import type { PlanDefinition } from '@keystamp/core'
import {
  changeDataStamper,
  createLineStage,
  type LinePart,
  type Refusal,
  toKeyStamper
} from '@keystamp/stream/internal'

/** Settings of a thread. */
export interface BlockSettings {
  readonly plan: PlanDefinition
  readonly changeData: boolean
  readonly maxRecordBytes: number
  /** Whether the text of every rejected record is needed, or only that of the first one of a block. */
  readonly allTexts: boolean
}

/** A block of complete lines. */
export interface BlockRequest {
  readonly memory: ArrayBuffer
  readonly bytes: number
  /** Whether the block begins the input. */
  readonly isFirst: boolean
  /** Memory for the output, if it is large enough. */
  readonly output: ArrayBuffer | undefined
}

/** A record of a block that got no key. Lines, bytes and records count from the beginning of the block. */
export interface BlockRejection {
  readonly refusal: Refusal
  readonly line: number
  readonly byte: number
  /** Records of the block up to this one. */
  readonly records: number
  readonly text: string | undefined
}

export interface BlockAnswer {
  /** Memory of the block. */
  readonly memory: ArrayBuffer
  readonly output: ArrayBuffer
  readonly bytes: number
  readonly records: number
  readonly lines: number
  readonly rejections: readonly BlockRejection[]
}

/** Stamps blocks in a thread. Returns the function that stamps one. */
export function createBlockStamper(settings: BlockSettings): (request: BlockRequest) => BlockAnswer {
  const { plan, changeData, maxRecordBytes, allTexts } = settings
  const rows = toKeyStamper(plan, {})
  const stamper = changeData ? changeDataStamper(rows) : rows
  let given: ArrayBuffer | undefined
  let rejections: BlockRejection[] = []
  const stageOf = (linesBefore: number): ReturnType<typeof createLineStage> => {
    const part: LinePart = {
      linesBefore,
      createRejector: (counts) => ({
        reject: (refusal, { line, byte }, text) => {
          const needsText = allTexts || rejections.length === 0
          rejections.push({
            refusal,
            line: (line ?? 0) - linesBefore,
            byte: byte ?? 0,
            records: counts.records - recordsBefore,
            text: needsText ? text() : undefined
          })
        },
        finish: () => {}
      }),
      onEnd: (count) => {
        lines = count
      }
    }
    return createLineStage(stamper, { maxRecordBytes }, allocate, part)
  }
  const [first, later] = [stageOf(0), stageOf(1)]
  let recordsBefore = 0
  let lines = 0

  return ({ memory, bytes, isFirst, output }) => {
    const stage = isFirst ? first : later
    given = output
    rejections = []
    recordsBefore = stage.counts.records
    stage.push(Buffer.from(memory, 0, bytes))
    stage.endInput()
    const made = whole(stage.take())
    return {
      memory,
      output: made.buffer as ArrayBuffer,
      bytes: made.length,
      records: stage.counts.records - recordsBefore,
      lines,
      rejections
    }
  }

  function allocate(size: number): Buffer {
    const found = given !== undefined && given.byteLength >= size ? given : undefined
    given = undefined
    return found === undefined ? Buffer.allocUnsafeSlow(Math.ceil(size / STEP_BYTES) * STEP_BYTES) : Buffer.from(found)
  }
}

const STEP_BYTES = 64 * 1024

/** Returns the output at the beginning of its memory. Output of several parts may be somewhere in a pool of Node. */
function whole(output: Buffer): Buffer {
  if (output.byteOffset === 0) return output
  const copy = Buffer.allocUnsafeSlow(output.length)
  output.copy(copy)
  return copy
}
