import type { InputPosition, InputLine } from '@keystamp/files/internal'

/** Reads the records of an input, many at once, from a place on. */
export type ReadLines = (input: string, from: InputPosition['from']) => AsyncIterable<readonly InputLine[]>

/** Reading of one input that began before its records were asked for. */
export interface ReadAhead {
  /** Reads as `read` does; the first input goes on with what was read ahead. */
  readonly read: ReadLines
  /** Closes the input where nobody asked for its records. */
  readonly close: () => void
}

/**
 * Begins to read an input while the container is opened. A failure is kept until the records are asked for. Standard input is left alone: a read of it
 * could not be taken back.
 */
export function readAhead(read: ReadLines, input: string | undefined, from: InputPosition['from']): ReadAhead {
  if (input === undefined || input === '-') return { read, close: () => undefined }
  const lines = read(input, from)[Symbol.asyncIterator]()
  const first = lines.next()
  first.catch(() => undefined)
  let isAsked = false
  return {
    read: (name, place) => {
      if (isAsked || name !== input || place !== from) return read(name, place)
      isAsked = true
      return goOn(first, lines)
    },
    close: () => {
      // a failed read has closed it
      if (!isAsked) void lines.return?.().catch(() => undefined)
    }
  }
}

async function* goOn(
  first: Promise<IteratorResult<readonly InputLine[], unknown>>,
  lines: AsyncIterator<readonly InputLine[], unknown>
): AsyncGenerator<readonly InputLine[]> {
  try {
    for (let next = await first; next.done !== true; next = await lines.next()) yield next.value
  } finally {
    await lines.return?.()
  }
}
