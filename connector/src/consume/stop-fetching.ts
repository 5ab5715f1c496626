import Runner from 'kafkajs/src/consumer/runner.js'
import { checkKafkajsVersion } from './kafkajs-version.ts'

/**
 * Lets a consumer of kafkajs stop while the brokers of its cluster change. kafkajs makes new fetchers then, also where the consumer was stopped in
 * the same moment. Nobody stops those: each asks whether there is anything to fetch, is told "nothing" at once, and asks again, without ever
 * letting a timer or a socket have its turn. The thread takes a whole processor, the group is not left, and no health check is answered.
 */
export function stopFetching(): void {
  if (Runner.prototype.fetch === fetchOrStop) return
  checkKafkajsVersion()
  fetch = Runner.prototype.fetch
  Runner.prototype.fetch = fetchOrStop
}

let fetch: Runner['fetch']

function fetchOrStop(this: Runner, nodeId: string): Promise<readonly unknown[]> {
  if (this.running) return fetch.call(this, nodeId)
  // every fetcher asks for itself, and ends with this answer
  void this.fetchManager.stop()
  return Promise.resolve([])
}
