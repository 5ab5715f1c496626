import { KeystampError } from '@keystamp/core'
import type { SwitchRecord } from '../../src/switch/switch-record.ts'
import type { StoredSwitch, SwitchRecords } from '../../src/switch/switch-records.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** Switch record whose replicas may be behind, and whose requests may fail before or after they were applied. */
export class SimulatedRecord {
  readonly #clock: VirtualClock
  readonly #random: () => number
  /** All versions; the ETag of each is its number. */
  readonly versions: { readonly record: SwitchRecord; readonly atMs: number }[] = []
  /** Called before a version is stored. */
  onPut: (record: SwitchRecord) => void = () => undefined

  constructor(clock: VirtualClock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  get current(): SwitchRecord | undefined {
    return this.versions.at(-1)?.record
  }

  /** Requests of one process, whose replicas are behind by up to `behindMs`. */
  records(behindMs: number): SwitchRecords {
    return {
      create: () => Promise.resolve(),
      read: async () => {
        await this.#wait()
        if (this.#random() < 0.05) throw unavailable()
        return this.#version(this.#clock.now() - (this.#random() < 0.4 ? this.#random() * behindMs : 0))
      },
      put: async (record, after) => {
        await this.#wait()
        if (this.#random() < 0.05) throw unavailable()
        if (Number(after?.etag ?? 0) !== this.versions.length) return false
        this.onPut(record)
        this.versions.push({ record, atMs: this.#clock.now() })
        if (this.#random() < 0.1) throw unavailable()
        return true
      },
      close: () => undefined
    }
  }

  /** The version that a replica had at this time. */
  #version(atMs: number): StoredSwitch | undefined {
    const count = this.versions.filter((version) => version.atMs <= atMs).length
    return count === 0 ? undefined : { record: this.versions[count - 1].record, etag: String(count) }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.schedule(this.#random() * 10, resolve)
    })
  }
}

function unavailable(): KeystampError {
  const error = new KeystampError('COSMOS_UNAVAILABLE', 'No answer from Cosmos DB.')
  return Object.assign(error, { retriable: true })
}
