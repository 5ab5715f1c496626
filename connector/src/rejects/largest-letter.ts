import { eventHubsHost } from '../config/source/event-hubs.ts'

/** How many bytes a letter may have where that is known before it is sent; other brokers say it themselves. */
export function largestLetterBytes(brokers: readonly string[]): number | undefined {
  return eventHubsHost(brokers) === undefined ? undefined : EVENT_HUBS_BYTES
}

// https://learn.microsoft.com/azure/event-hubs/apache-kafka-configurations: `max.request.size`
const EVENT_HUBS_BYTES = 1_000_000
