import { createErrorFromCode } from 'kafkajs/src/protocol/error.js'
import type { Clock } from '../lifecycle/clock.ts'
import type { DescribedTopic } from './topic-id-request.ts'

interface TopicIdsOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Asks a broker; undefined if the brokers know no ids. */
  readonly ask: (topics: readonly string[]) => Promise<readonly DescribedTopic[] | undefined>
}

/**
 * Ids of the topics of one consumer. A topic that is created again has another id, and its offsets begin again. Fetches
 * of kafkajs do not tell of which topic they are, so the ids are read again every few seconds.
 */
export class TopicIds {
  readonly #options: TopicIdsOptions
  readonly #known: Map<string, { readonly id: string | undefined; readonly readMs: number }> = new Map()

  constructor(options: TopicIdsOptions) {
    this.#options = options
  }

  /** Id of the topic; undefined if the brokers know none. */
  of(topic: string): string | undefined {
    return this.#known.get(topic)?.id
  }

  /** Whether the id was read recently. */
  isCurrent(topic: string): boolean {
    const known = this.#known.get(topic)
    return known !== undefined && this.#options.clock.now() - known.readMs < MAX_AGE_MS
  }

  /**
   * Reads the id. Returns whether it is the same as before: if not, records that were fetched before may be of another
   * topic of this name. Throws if the broker does not answer, or does not know the topic and its id is not known.
   */
  async read(topic: string): Promise<boolean> {
    const { clock, ask } = this.#options
    const readMs = clock.now()
    const described = await ask([topic])
    const former = this.#known.get(topic)
    const found = described?.find((each) => each.topic === topic)
    const isUnknown = found !== undefined && found.errorCode !== 0
    // the topic was deleted: the fetched records are of the former topic
    if (isUnknown && former === undefined) throw createErrorFromCode(found.errorCode)
    const id = isUnknown ? former?.id : found?.id
    this.#known.set(topic, { id, readMs })
    return former !== undefined && former.id === id
  }
}

const MAX_AGE_MS = 5000
