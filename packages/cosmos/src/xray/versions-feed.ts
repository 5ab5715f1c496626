import { type ContainerJson, type PreviousImages, previousImagesIn } from '../client/container.ts'
import { CosmosError } from '../client/cosmos-error.ts'
import { changeHeaders } from '../feed/changes.ts'
import type { ContainerFacts } from './container-facts.ts'
import { isMoved, type RangeRoutes } from './range-routes.ts'
import type { XrayRequests } from './xray-requests.ts'

/** The change feed of all versions and deletes of a container. */
export interface VersionsFeedFacts {
  readonly isOn: boolean
  /** Minutes that it goes back; null if the definition of the container does not tell. */
  readonly retentionMinutes: number | null
  /** Changes that have the former version of the document; null if the definition of the container does not tell. */
  readonly previousImages: PreviousImages | null
}

const PAGE_RU = 3

interface VersionsFeedOptions extends Pick<ContainerFacts, 'ranges' | 'settings'> {
  readonly requests: XrayRequests
  readonly routes: Pick<RangeRoutes, 'leavesOf' | 'follow'>
}

/** Asks for the changes from now on: a container without this feed refuses that. */
export async function readVersionsFeed({
  requests,
  routes,
  ranges,
  settings
}: VersionsFeedOptions): Promise<VersionsFeedFacts | { readonly unknown: string }> {
  try {
    for (let [of] = routes.leavesOf(ranges[0].id); ;) {
      const headers = changeHeaders({ mode: 'versions', from: 'now', rangeId: of.id, part: of.part, maxItems: 1 })
      try {
        await requests.send({
          what: 'asking for the change feed of all versions and deletes',
          kind: 'changeFeed',
          headers,
          expectedRu: PAGE_RU
        })
        return { isOn: true, ...policiesIn(settings) }
      } catch (error) {
        if (!isMoved(error)) throw error
        ;[of] = await routes.follow(of, error)
      }
    }
  } catch (error) {
    if (!(error instanceof CosmosError) || error.retriable) throw error
    if (error.statusCode === 400) return { isOn: false, retentionMinutes: null, previousImages: null }
    return { unknown: `Refused: ${error.message}` }
  }
}

function policiesIn(settings: Readonly<Record<string, unknown>>): Omit<VersionsFeedFacts, 'isOn'> {
  const { changeFeedPolicy } = settings as ContainerJson
  const { retentionDuration = 0 } = changeFeedPolicy ?? {}
  return {
    retentionMinutes: retentionDuration > 0 ? retentionDuration : null,
    previousImages: previousImagesIn(settings) ?? null
  }
}
