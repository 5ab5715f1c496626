/** Cuts bytes into lines; blank ones are left out. A line holds on to the bytes that it was cut from. */
export class LineSplitter {
  #begun: Uint8Array[] = []

  /** The lines that end in these bytes. */
  split(bytes: Uint8Array): readonly Uint8Array[] {
    const lines: Uint8Array[] = []
    let from = 0
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      const line = this.#complete(bytes.subarray(from, end))
      from = end + 1
      if (!isBlank(line)) lines.push(line)
    }
    if (from < bytes.length) this.#begun.push(bytes.subarray(from))
    return lines
  }

  /** The last line, when no line feed ended it. */
  rest(): readonly Uint8Array[] {
    const line = this.#complete(new Uint8Array())
    return isBlank(line) ? [] : [line]
  }

  #complete(end: Uint8Array): Uint8Array {
    if (this.#begun.length === 0) return end
    const line = Buffer.concat([...this.#begun, end])
    this.#begun = []
    return line
  }
}

const LINE_FEED = 0x0a

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)
}
