// Addresses and contents of the services in docker-compose.yml; the environment overrides the addresses.
const {
  KEYSTAMP_COMPOSE_KAFKA: kafka = 'kafka:9092',
  KEYSTAMP_COMPOSE_REGISTRY: registry = 'http://registry:8081',
  KEYSTAMP_COMPOSE_COSMOS: cosmos = 'http://cosmos:8081/'
} = process.env

export const ADDRESSES = { kafka, registry, cosmos }

/** The public key of the emulators. */
export const KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

export const TOPICS = { drives: 8, readings: 4, rejected: 1 }
export const DATABASE = 'fleet'
export const CONTAINERS = ['drives', 'readings']

/** One drive in this number is not JSON: the sink has to copy it to the topic `rejected`. */
export const INVALID_EVERY = 1000

/** Retries until `attempt` succeeds, since services may still be starting; fails after a minute. */
export async function withRetries(what, attempt, seconds = 60) {
  const end = Date.now() + seconds * 1000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > end) throw new Error(`${what} failed for ${seconds} s: ${error.message}`, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}
