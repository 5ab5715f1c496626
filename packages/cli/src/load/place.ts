/** Where in the inputs everything before is settled. */
export interface Place {
  /** Which of the inputs, from 0 on. */
  readonly input: number
  /** How many lines of it are settled. */
  readonly line: number
  /** A line not behind that one, by its number from 0 on, and the byte at which it begins: there reading can begin. */
  readonly from: {
    readonly line: number
    readonly byte: number
    /** Line of the text, from 1 on, where a record can take several: in CSV. */
    readonly textLine?: number
  }
  /** The byte after the last line that is settled; missing in checkpoints of older versions. */
  readonly byte?: number
}

/** Before the first line. */
export const BEGINNING: Place = { input: 0, line: 0, from: { line: 0, byte: 0 } }
