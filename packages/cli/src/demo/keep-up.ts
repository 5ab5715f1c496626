import { untilAborted } from '../until-aborted.ts'
import { DATABASE, TOPIC } from './demo-world.ts'
import type { DemoPlace } from './run-demo.ts'

/** Says how to look at what is there, and waits until it is interrupted. */
export function keepUp({ endpoint, key, url, brokers }: DemoPlace, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  say('')
  say('Everything is still up; Ctrl-C ends it.')
  say(`  documents    curl -s ${endpoint}dbs/${DATABASE}/colls/even/docs -H 'x-ms-max-item-count: 2'`)
  say(`  ranges       curl -s ${endpoint}dbs/${DATABASE}/colls/even/pkranges`)
  say(`  the SDK      new CosmosClient({ endpoint: '${endpoint}', key: '${key}' }).database('${DATABASE}').container('even')`)
  if (url !== undefined) say(`  the sinks    curl -s ${url}/metrics ; curl -s ${url}/readyz`)
  say(`  the topic    ${TOPIC} at ${brokers}`)
  return untilAborted(signal)
}
