import { open, readFile, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { UsageError } from '../exit-codes.ts'

/** The sinks that follow a move, as a user names them. */
export interface FollowedSinks {
  /** Absolute path of their configuration. */
  readonly file: string
  /** Name of the sink in this file; undefined if the file has one sink with `move`. */
  readonly name?: string
}

export interface SinkOptions {
  readonly sink?: string
  readonly sinkName?: string
}

/** The sinks that the options name; undefined if they name none. */
export function followedSinksIn({ sink, sinkName }: SinkOptions): FollowedSinks | undefined {
  if (sink === undefined) {
    if (sinkName !== undefined) throw new UsageError('--sink-name needs --sink, the file with this sink.')
    return undefined
  }
  return { file: resolve(sink), ...(sinkName === undefined ? {} : { name: sinkName }) }
}

const FILE = 'sinks.json'

/**
 * Stores the sinks in the folder of the journal: they follow every later switch of the move. A process that continues
 * the move after a crash must know the sinks that the process before has stopped.
 */
export async function rememberSinks(journal: string, sinks: FollowedSinks): Promise<void> {
  const path = join(journal, FILE)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(sinks))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

/** The sinks that the folder of the journal names. */
export async function rememberedSinks(journal: string): Promise<FollowedSinks | undefined> {
  const path = join(journal, FILE)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (text === undefined) return undefined
  const { file, name } = parse(path, text)
  if (typeof file !== 'string' || (name !== undefined && typeof name !== 'string')) throw damaged(path)
  return { file, ...(name === undefined ? {} : { name }) }
}

function parse(path: string, text: string): { readonly file?: unknown; readonly name?: unknown } {
  try {
    return { ...(JSON.parse(text) as object) }
  } catch {
    throw damaged(path)
  }
}

function damaged(path: string): UsageError {
  return new UsageError(`${path} does not name the sinks of the move: name them again with \`keystamp rekey --sink\`.`)
}
