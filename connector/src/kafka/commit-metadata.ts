/** Metadata of a committed offset, from which the next owner learns what was done before. */
export interface CommitMetadata {
  /** Fingerprint of the key plan. Undefined where only the start of the partition is stored: nothing was written under any plan. */
  readonly plan: string | undefined
  /** The process that committed. */
  readonly by: string
  /** The process left in order: none of its requests is in flight any more. */
  readonly hasLeft: boolean
  /** Number of partitions that the topic had when the group began to read it. */
  readonly partitions?: number | undefined
}

/** Writes metadata, as short as possible: brokers keep at most 4,096 bytes. */
export function writeMetadata({ plan, by, hasLeft, partitions }: CommitMetadata): string {
  return JSON.stringify({ keystamp: 1, plan, by, ...(hasLeft ? { left: true } : {}), partitions })
}

/** Reads metadata. Undefined where another program committed the offset, such as a tool that moved the group. */
export function readMetadata(text: string): CommitMetadata | undefined {
  const stored = parse(text)
  if (stored?.['keystamp'] !== 1) return undefined
  const { plan, by, left, partitions } = stored
  return {
    plan: typeof plan === 'string' ? plan : undefined,
    by: String(by),
    hasLeft: left === true,
    partitions: typeof partitions === 'number' ? partitions : undefined
  }
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    // metadata of another tool
    return undefined
  }
}
