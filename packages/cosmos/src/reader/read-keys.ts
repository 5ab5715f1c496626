import type { KeyDefinition, PartitionKey } from '@keystamp/core'
import type { Account } from '../account/account.ts'
import { membersOfPath } from '../account/key-path.ts'
import { checkContainer } from '../writer/check-container.ts'
import type { Ask } from './ask-patiently.ts'
import { createContainerKeys } from './container-keys.ts'
import { divideKeys } from './divide-keys.ts'
import type { DocumentOrder } from './document-order.ts'
import { createKeySource, type KeySource, toPlan } from './key-source.ts'
import { mergeAsTheyCome } from './merge-as-they-come.ts'
import { mergeInOrder } from './merge-in-order.ts'
import type { PagePrices } from './page-prices.ts'
import { type PageRead, readRange, type StoredDocument } from './range-pages.ts'
import { readAhead } from './read-ahead.ts'
import type { ReaderSettings } from './reader-options.ts'
import { createRoom } from './room.ts'
import { type RangeKeys, routeKeys } from './route-keys.ts'

/** What reading from one container needs. */
export interface ContainerReadingOptions {
  readonly account: Account
  readonly ask: Ask
  readonly settings: ReaderSettings
  readonly prices: PagePrices
  readonly now: () => number
}

/** How the documents under some keys are read. */
export interface ReadKeysOptions {
  /** Only the documents with this id. */
  readonly id: string | undefined
  readonly order: DocumentOrder | undefined
  readonly signal: AbortSignal | undefined
}

/** What a container is to a reader. */
export interface OpenContainer {
  readonly keys: KeySource
  readonly definition: Required<KeyDefinition>
}

/** Reads documents by their keys. */
export interface ContainerReading {
  /** Reads the container's definition once, and holds the plan against it. */
  readonly open: () => Promise<OpenContainer>
  readonly route: (keys: readonly PartitionKey[]) => Promise<readonly RangeKeys[]>
  readonly readKeys: (keys: readonly PartitionKey[], options: ReadKeysOptions) => AsyncGenerator<StoredDocument, void, undefined>
}

/** Asks each range once for the keys that it holds, so many ranges at a time. */
export function createContainerReading({ account, ask, settings, prices, now }: ContainerReadingOptions): ContainerReading {
  const { parallel, pageItems, patienceMs } = settings
  const room = createRoom(parallel)
  const given = settings.plan === undefined ? undefined : toPlan(settings.plan)
  let opened: Promise<OpenContainer> | undefined

  function open(): Promise<OpenContainer> {
    if (opened === undefined) {
      opened = openOnce()
      // a failure is not kept
      opened.catch(() => {
        opened = undefined
      })
    }
    return opened
  }

  async function openOnce(): Promise<OpenContainer> {
    const container = await account.definition()
    if (given !== undefined) checkContainer(container, given)
    return {
      keys: given === undefined ? createContainerKeys(container.partitionKey.paths) : createKeySource(given),
      definition: container.partitionKey
    }
  }

  async function route(keys: readonly PartitionKey[]): Promise<readonly RangeKeys[]> {
    const { definition } = await open()
    return routeKeys(keys, await account.ranges(), definition).flatMap(divideKeys)
  }

  function onPage(page: PageRead): void {
    if (page.isFirst) prices.learn(page.chargeRu)
    settings.onPage(page)
  }

  async function* readKeys(
    keys: readonly PartitionKey[],
    { id, order, signal }: ReadKeysOptions
  ): AsyncGenerator<StoredDocument, void, undefined> {
    const { definition } = await open()
    const ending = new AbortController()
    const ended = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal])
    const levels = definition.paths.map(membersOfPath)
    const shared = { account, ask, room, definition, levels, id, order, pageItems, patienceMs, now, signal: ended, onPage }
    const streams = (await route(keys)).map((held) => readAhead(readRange(held, shared)))
    const pages = order === undefined ? mergeAsTheyCome(streams, parallel) : mergeInOrder(streams, order)
    try {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- one page after another is the point
        const next = await pages.next()
        if (next.done === true) return
        yield* next.value
      }
    } finally {
      // first: whoever stops early waits for no request that is under way
      ending.abort()
      await pages.return(undefined)
    }
  }

  return { open, route, readKeys }
}
