import { KeystampError } from '@keystamp/core'
import Runner from 'kafkajs/src/consumer/runner.js'
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { createRequire } from 'node:module'
import { registerCodecs } from '../codecs/register-codecs.ts'
import { boundFetches, limitInflation } from './bounded-fetch.ts'
import { collectHeadersInOnePass, restoreMarkerKeys } from './decoded-records.ts'
import { findCoordinatorsAgain } from './group-coordinator.ts'
import { followConsumerGroups } from './group-joins.ts'

/**
 * Replaces parts of kafkajs for the whole process, and sets the limit for inflated batches. Has to be called before a
 * client is created. The replaced modules are internal to kafkajs, so this checks its version.
 */
export function patchKafkajs(maxInflatedBytes: number): void {
  limitInflation(maxInflatedBytes)
  if (isPatched) return
  checkKafkajsVersion()
  registerCodecs()
  boundFetches()
  collectHeadersInOnePass()
  // both replace `fetch` of the consumer group: the second one calls the first one
  restoreMarkerKeys()
  followConsumerGroups()
  findCoordinatorsAgain()
  stopFetchersOfStoppedRunners()
  stopPollingOfIdleQueues()
  isPatched = true
}

let isPatched = false

const KNOWN_VERSION = '2.2.4'

/** Throws if another version of kafkajs is installed: its internal modules may differ. */
export function checkKafkajsVersion(version: string = installedVersion()): void {
  if (version === KNOWN_VERSION) return
  throw new KeystampError(
    'INVARIANT_BROKEN',
    `kafkajs ${version} is installed, and this version of Keystamp works with kafkajs ${KNOWN_VERSION} only. Install that version.`
  )
}

function installedVersion(): string {
  return (createRequire(import.meta.url)('kafkajs/package.json') as { readonly version: string }).version
}

/**
 * Stops the fetchers of a runner that was stopped. kafkajs creates new fetchers when the brokers of its cluster change,
 * even if the consumer is stopped at the same moment, and never stops the new ones. Each new fetcher finds nothing to
 * fetch and tries again at once, without ever yielding to timers and sockets. Then the thread takes a whole processor,
 * the member does not leave its group, and the process answers no health check.
 */
function stopFetchersOfStoppedRunners(): void {
  const { prototype } = Runner
  const { fetch } = prototype
  prototype.fetch = function fetchOrStop(nodeId) {
    if (this.running) return fetch.call(this, nodeId)
    // every fetcher calls this, and ends with this result
    void this.fetchManager.stop()
    return Promise.resolve([])
  }
}

/** The fields of kafkajs's request queue that are used here. There is one queue for each connection. */
interface Queue {
  readonly pending: readonly unknown[]
  readonly throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  readonly checkPendingRequests: () => void
}

/**
 * Stops the 1 ms polling timer of request queues that are empty. Each connection of kafkajs 2.2.4 checks a thousand
 * times a second whether a throttled request may be sent, even if there is none. An idle consumer takes 3 % of a
 * processor for that. For this timer, kafkajs passes a negative delay to `setTimeout`: Node uses 1 ms instead, and warns
 * about it from version 24 on.
 */
function stopPollingOfIdleQueues(): void {
  RequestQueue.prototype.scheduleCheckPendingRequests = scheduleCheck
}

function scheduleCheck(this: Queue): void {
  if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return
  const ms = Math.max(MIN_CHECK_MS, this.throttledUntil - Date.now())
  this.throttleCheckTimeoutId = setTimeout(() => {
    this.throttleCheckTimeoutId = null
    this.checkPendingRequests()
  }, ms)
}

const MIN_CHECK_MS = 10
