import { Kafka, logLevel } from 'kafkajs'

// pause between retries: without a retry, the client never learns the names of the brokers
const PAUSE_MS = 50
const START_TIMEOUT_MS = 60_000

/** Resolves when the broker answers requests about groups: its port opens before its coordinator is loaded. */
export async function waitForGroups(address: string): Promise<void> {
  const retry = {
    retries: 3,
    initialRetryTime: PAUSE_MS,
    factor: 0,
    multiplier: 1,
    maxRetryTime: PAUSE_MS,
    restartOnFailure: async () => false
  }
  const kafka = new Kafka({ brokers: [address], clientId: 'keystamp-testkit', logLevel: logLevel.NOTHING, retry })
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const admin = kafka.admin({ retry })
    try {
      await admin.connect()
      await admin.describeGroups(['keystamp-testkit'])
      return
    } catch (error) {
      if (performance.now() > deadline)
        throw new Error(`Kafka at ${address} does not answer requests about groups.`, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    } finally {
      await admin.disconnect()
    }
  }
}
