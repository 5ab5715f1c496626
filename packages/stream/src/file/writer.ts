/** Takes the output piece by piece. */
export interface Writer {
  /** Begins to write, and waits until the piece before is written. */
  readonly write: (bytes: Buffer) => Promise<void>
  /** Waits until all is written, and makes it what the name stands for. */
  readonly finish: () => Promise<void>
  /** Gives up; nothing is left under the name. */
  readonly abandon: () => Promise<void>
  /** Gives buffers to be filled and written. */
  readonly allocate: (size: number) => Buffer
}
