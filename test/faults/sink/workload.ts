import type { Random, TopicRecord } from '@keystamp/testkit'

/** One record of a scenario. */
export interface Produced {
  /** Its place in the order of all. */
  readonly mark: number
  readonly partition: number
  readonly kind: 'upsert' | 'tombstone' | 'poison'
  /** The document; for poison a name of its own. */
  readonly id: string
}

export interface WorkloadOptions {
  readonly random: Random['next']
  readonly poison: number
  /** The bytes of a document. Default: JSON. */
  readonly encode: (document: { readonly mark: number; readonly text: string }) => Buffer
}

/** Makes records: a few documents in each partition, written again and again. */
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

/** Of one partition. */
const DOCUMENTS = 30
const TOMBSTONES = 0.04
const POISON = Buffer.from('{"broken":')
const FILLING = 'x'.repeat(200)
