import type { Random, TopicRecord } from '@keystamp/testkit'

/** One record of a scenario. */
export interface Produced {
  /** Position in the order of all records. */
  readonly mark: number
  readonly partition: number
  readonly kind: 'upsert' | 'tombstone' | 'poison'
  /** Id of the document; a unique name for an invalid record. */
  readonly id: string
}

export interface WorkloadOptions {
  readonly random: Random['next']
  readonly poison: number
  /** Encodes a document. */
  readonly encode: (document: { readonly mark: number; readonly text: string }) => Buffer
}

/** Creates records that write a few documents in each partition again and again. */
export function createWorkload({ random, poison, encode }: WorkloadOptions): {
  readonly produced: readonly Produced[]
  readonly next: (count: number, partitions: number) => readonly TopicRecord[]
} {
  const produced: Produced[] = []

  function nextOne(partitions: number): Produced {
    const mark = produced.length + 1
    const partition = Math.floor(random() * partitions)
    const choice = random()
    if (choice < poison) return { mark, partition, kind: 'poison', id: `poison-${mark}` }
    const kind = choice < poison + TOMBSTONES ? 'tombstone' : 'upsert'
    return { mark, partition, kind, id: `p${partition}-d${Math.floor(random() * DOCUMENTS)}` }
  }

  function next(count: number, partitions: number): readonly TopicRecord[] {
    return Array.from({ length: count }, () => {
      const one = nextOne(partitions)
      produced.push(one)
      return { partition: one.partition, key: one.id, value: valueOf(one), headers: { mark: String(one.mark) } }
    })
  }

  function valueOf({ kind, mark }: Produced): Buffer | null {
    if (kind === 'tombstone') return null
    return kind === 'poison' ? POISON : encode({ mark, text: FILLING })
  }

  return { produced, next }
}

/** Number of documents in one partition. */
const DOCUMENTS = 30
const TOMBSTONES = 0.04
const POISON = Buffer.from('{"broken":')
const FILLING = 'x'.repeat(200)
