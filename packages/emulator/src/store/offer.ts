import { minimumThroughput, type Throughput } from '../charge/throughput.ts'
import { resourceEtag } from './resource-id.ts'

/** The throughput of a database or container, as a resource. */
export class Offer {
  readonly rid: string
  readonly resourceRid: string
  readonly resourceSelf: string
  #throughput: Throughput
  #highestEver: number
  #revision = 1
  #timestamp: number
  /** `custom` after a redistribution, which gave the ranges of the container RU/s of their own. */
  throughputPolicy: 'equal' | 'custom' = 'equal'
  /** True while ranges are being split for a raised throughput. */
  isReplacePending = false

  constructor(rid: string, resourceRid: string, resourceSelf: string, throughput: Throughput, timestamp: number) {
    this.rid = rid
    this.resourceRid = resourceRid
    this.resourceSelf = resourceSelf
    this.#throughput = throughput
    this.#highestEver = throughput.ruPerSecond
    this.#timestamp = timestamp
  }

  get throughput(): Throughput {
    return this.#throughput
  }

  get minimum(): number {
    return minimumThroughput(this.#throughput, this.#highestEver)
  }

  /** The state that a data folder keeps. */
  state(): OfferState {
    const { rid, resourceRid, resourceSelf, throughputPolicy, isReplacePending } = this
    const [throughput, highestEver, revision, timestamp] = [
      this.#throughput,
      this.#highestEver,
      this.#revision,
      this.#timestamp
    ]
    const changing = { throughput, throughputPolicy, highestEver, revision, timestamp, isReplacePending }
    return { rid, resourceRid, resourceSelf, ...changing }
  }

  /** Takes over a state that `state` returned. */
  restore(state: OfferState): void {
    this.#throughput = state.throughput
    this.#highestEver = state.highestEver
    this.#revision = state.revision
    this.throughputPolicy = state.throughputPolicy
    this.#timestamp = state.timestamp
    this.isReplacePending = state.isReplacePending
  }

  change(throughput: Throughput, timestamp: number): void {
    this.#throughput = throughput
    this.#highestEver = Math.max(this.#highestEver, throughput.ruPerSecond)
    this.#timestamp = timestamp
    this.#revision += 1
  }

  get etag(): string {
    return resourceEtag(this.#revision, this.#timestamp)
  }

  toJson(): Record<string, unknown> {
    return {
      offerVersion: 'V2',
      offerType: 'Invalid',
      id: this.rid,
      _rid: this.rid,
      _self: `offers/${this.rid}/`,
      _etag: this.etag,
      _ts: this.#timestamp,
      resource: this.resourceSelf,
      offerResourceId: this.resourceRid,
      content: contentOf(this.#throughput)
    }
  }
}

/** State of an offer in a data folder. */
export interface OfferState {
  readonly rid: string
  readonly resourceRid: string
  readonly resourceSelf: string
  readonly throughput: Throughput
  readonly throughputPolicy: 'equal' | 'custom'
  readonly highestEver: number
  readonly revision: number
  readonly timestamp: number
  readonly isReplacePending: boolean
}

function contentOf({ mode, ruPerSecond, upgradePercent }: Throughput): Record<string, unknown> {
  if (mode === 'manual') return { offerThroughput: ruPerSecond }
  const policy =
    upgradePercent === undefined
      ? {}
      : { autoUpgradePolicy: { throughputPolicy: { incrementPercent: upgradePercent } } }
  return {
    offerThroughput: Math.max(100, ruPerSecond / 10),
    offerAutopilotSettings: { maxThroughput: ruPerSecond, ...policy }
  }
}
