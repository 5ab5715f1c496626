/** What is stored beside a committed position, so that whoever goes on from it knows what was done before. */
export interface CommitMetadata {
  /** Fingerprint of the key plan. Undefined where only the start of the partition is stored: nothing was written under any plan. */
  readonly plan: string | undefined
  /** The process that committed. */
  readonly by: string
  /** It left in order: nothing of what it sent is still on its way. */
  readonly hasLeft: boolean
  /** Number of partitions that the topic had when the group began to read it. */
  readonly partitions?: number | undefined
}

/** Short, since brokers keep at most 4,096 bytes. */
export function writeMetadata({ plan, by, hasLeft, partitions }: CommitMetadata): string {
  return JSON.stringify({ keystamp: 1, plan, by, ...(hasLeft ? { left: true } : {}), partitions })
}

/** Undefined where the position was committed by somebody else: another sink, or a tool that moved the group. */
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
    // whatever another tool has left there
    return undefined
  }
}
