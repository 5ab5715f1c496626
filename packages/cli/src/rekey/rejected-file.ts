import { appendFile } from 'node:fs/promises'
import { hashOfIdentity } from '@keystamp/move'

type Identity = Parameters<typeof hashOfIdentity>[0]

/** The file with the documents that a move cannot copy, one line of JSON each, in the order in which they were found. */
export interface RejectedFile {
  readonly add: (identity: Identity, code: string, message: string) => void
  /** Resolves when all lines are written. */
  readonly close: () => Promise<void>
}

export interface RejectedFileOptions {
  readonly path: string
  /** Whether lines have keys and ids, and not only their hash. */
  readonly showIds: boolean
  /** Called with the first failure: the gate of the switch counts the documents by the journal. */
  readonly onError: (error: unknown) => void
}

export function createRejectedFile({ path, showIds, onError }: RejectedFileOptions): RejectedFile {
  let lines: string[] = []
  let writing: Promise<void> | undefined
  let hasFailed = false

  return {
    add: (identity, code, message) => {
      // as in a header of Cosmos DB: a missing value is another key than null
      const key = identity.key.map((value) => (value === undefined ? {} : value))
      const named = showIds ? { key, id: identity.id } : { document: hashOfIdentity(identity) }
      lines.push(`${JSON.stringify({ ...named, code, message })}\n`)
      writing ??= write()
    },
    close: async () => writing
  }

  async function write(): Promise<void> {
    try {
      while (lines.length > 0) {
        const text = lines.join('')
        lines = []
        await appendFile(path, text)
      }
    } catch (error) {
      if (!hasFailed) onError(error)
      hasFailed = true
    }
    writing = undefined
  }
}
