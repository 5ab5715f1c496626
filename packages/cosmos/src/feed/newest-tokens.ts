import { randomUUID } from 'node:crypto'
import { type KeyComponent, ownerOf, partitionHash } from '@keystamp/core'
import type { Account } from '../client/account.ts'
import { type ContainerDefinition, type ContainerRange, keyText } from '../client/container.ts'
import { CosmosError, errorWithoutAnswer } from '../client/cosmos-error.ts'
import { headerText, stringIn } from '../client/http-client.ts'
import type { FeedRange } from './changes.ts'
import type { FeedPace } from './feed-pace.ts'
import { type FeedRequests, retriableErrorOf } from './feed-requests.ts'
import { rangeOfToken } from '../client/session-token.ts'

/** Session token of one physical partition. */
export interface RangeToken {
  readonly range: FeedRange
  readonly sessionToken: string
}

interface NewestTokensOptions {
  readonly account: Pick<Account, 'ranges' | 'hasWriteRegions'>
  readonly partitionKey: ContainerDefinition['partitionKey']
  readonly requests: Pick<FeedRequests, 'send' | 'untilFound'>
  readonly pace: FeedPace
  readonly headers: Readonly<Record<string, string>>
  readonly refreshRanges: () => Promise<unknown>
}

/**
 * Reads session tokens that are at least as new as every write which Cosmos DB has confirmed before the call, of any client.
 * Returns undefined if that is not possible: several regions accept writes, the account refuses writes of this
 * client, or a physical partition has too few partition keys to find one.
 *
 * Each token comes from the answer to a delete of a document that does not exist. The primary replica answers writes, and
 * it has all changes; a read may be answered by a replica that is behind. Nothing is changed.
 */
export function createNewestTokens({
  account,
  partitionKey,
  requests,
  pace,
  headers,
  refreshRanges
}: NewestTokensOptions): (signal: AbortSignal) => Promise<readonly RangeToken[] | undefined> {
  return async (signal) => {
    if (await requests.untilFound(() => retriableErrorOf(account.hasWriteRegions()), signal)) return undefined
    try {
      return await requests.untilFound(() => readAll(signal), signal)
    } catch (error) {
      if (error instanceof CosmosError && error.code === 'COSMOS_UNAUTHORIZED') return undefined
      throw error
    }
  }

  async function readAll(signal: AbortSignal): Promise<readonly RangeToken[] | undefined | CosmosError> {
    const ranges = await retriableErrorOf(account.ranges())
    if (ranges instanceof CosmosError) return ranges
    const keys = keysIn(ranges, partitionKey)
    if (keys === undefined) return undefined
    const tokens = await Promise.all(ranges.map((range, index) => readOne(range, keys[index], ranges.length, signal)))
    const failed = tokens.find((token) => token instanceof CosmosError)
    // the range has moved
    if (failed !== undefined) await refreshRanges()
    return failed ?? (tokens as readonly RangeToken[])
  }

  async function readOne(
    range: ContainerRange,
    key: readonly KeyComponent[],
    count: number,
    signal: AbortSignal
  ): Promise<RangeToken | CosmosError> {
    const what = `finding the last change of range ${range.id}`
    const request = {
      verb: 'DELETE',
      id: `keystamp-${randomUUID()}`,
      headers: { ...headers, 'x-ms-documentdb-partitionkey': headerText(keyText(key)) }
    } as const
    const answer = await requests.send({ what, request, pace: pace.of(range, count), expectedRu: DELETE_RU, signal })
    if (answer instanceof CosmosError) return answer
    const sessionToken = stringIn(answer.headers['x-ms-session-token'])
    if (sessionToken === undefined || rangeOfToken(sessionToken) !== range.id)
      return errorWithoutAnswer(what, { code: 'an answer without a session token of this range' })
    return { range: { min: range.min, max: range.max }, sessionToken }
  }
}

/** RU of a delete that finds no document. */
const DELETE_RU = 2

/** A partition key in each range; undefined if the search does not find one in some range. */
function keysIn(
  ranges: readonly ContainerRange[],
  partitionKey: ContainerDefinition['partitionKey']
): readonly (readonly KeyComponent[])[] | undefined {
  const found = new Map<string, readonly KeyComponent[]>()
  const tries = TRIES + ranges.length * TRIES_OF_RANGE
  for (let index = 0; index < tries && found.size < ranges.length; index++) {
    const key = partitionKey.paths.map(() => `keystamp-${index}`)
    const owner = ownerOf(ranges, partitionHash(key, partitionKey))
    if (owner !== undefined && !found.has(owner.id)) found.set(owner.id, key)
  }
  return found.size < ranges.length ? undefined : ranges.map(({ id }) => found.get(id)!)
}

const TRIES = 1000
const TRIES_OF_RANGE = 100
