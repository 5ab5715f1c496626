import type { InputPosition, InputLine } from '@keystamp/files/internal'

/** Reads the records of an input in batches, from a position on. */
export type ReadLines = (input: string, from: InputPosition['from']) => AsyncIterable<readonly InputLine[]>

/** Reading of one input that began before its records were requested. */
export interface ReadAhead {
  /** Reads as `read` does; the first input continues with the records that were read ahead. */
  readonly read: ReadLines
  /** Closes the input where its records were not requested. */
  readonly close: () => void
}

/**
 * Begins to read an input while the container is opened. A failure is kept until the records are requested. Standard input is excluded: a read of it
 * could not be taken back.
 */
export function readAhead(read: ReadLines, input: string | undefined, from: InputPosition['from']): ReadAhead {
  if (input === undefined || input === '-') return { read, close: () => undefined }
  const lines = read(input, from)[Symbol.asyncIterator]()
  const first = lines.next()
  first.catch(() => undefined)
  let isAsked = false
  return {
    read: (name, position) => {
      if (isAsked || name !== input || position !== from) return read(name, position)
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
