import type { RegistrySettings } from '../../config/settings.ts'
import type { AuthGrace } from '../../lifecycle/auth-grace.ts'
import type { DecodeFailure } from '../decode-failure.ts'
import { createPatientAsk } from './patient-ask.ts'
import { fetchSchema } from './fetch-schema.ts'
import { type HttpGet, httpGet } from './http-get.ts'

/** What a registry knows under an id: a schema with those it refers to, or why there is none to use. */
export type RegisteredSchema =
  | { readonly type: 'AVRO'; readonly schema: unknown; readonly references: readonly unknown[] }
  | { readonly type: 'JSON' }
  | { readonly type: 'unusable'; readonly failure: DecodeFailure }

/** A schema registry with what it has answered so far. */
export interface Registry {
  /** What is known of an id now. */
  readonly known: (id: number) => RegisteredSchema | undefined
  /** Asks for an id, once for all who wait for it. Rejects when the registry refuses us; whatever else happens, it asks again. */
  readonly learn: (id: number) => Promise<void>
  readonly unframed: 'reject' | 'json'
  /** Why the answer is still out. */
  readonly waitingFor: string | undefined
  readonly close: () => void
}

/** The world as a registry client sees it. */
export interface RegistrySurroundings {
  readonly httpGet: HttpGet
  /** Resolves after so many milliseconds, and never when the signal is aborted before. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds that never run backwards. */
  readonly now: () => number
  readonly auth: AuthGrace | undefined
}

/** Makes a client of a schema registry as Confluent, Redpanda, Karapace and Apicurio offer it. */
export function createRegistry(settings: RegistrySettings, surroundings: Partial<RegistrySurroundings> = {}): Registry {
  const now = surroundings.now ?? (() => performance.now())
  const ask = createPatientAsk(settings, {
    httpGet: surroundings.httpGet ?? httpGet,
    wait: surroundings.wait ?? wait,
    auth: surroundings.auth
  })
  const schemas = new Map<number, { readonly schema: RegisteredSchema; readonly until: number }>()
  const asked = new Map<number, Promise<void>>()
  return {
    known(id) {
      const entry = schemas.get(id)
      return entry !== undefined && (entry.until === Infinity || now() < entry.until) ? entry.schema : undefined
    },
    learn(id) {
      const pending = asked.get(id) ?? learn(id).finally(() => asked.delete(id))
      asked.set(id, pending)
      return pending
    },
    unframed: settings.unframed ?? 'reject',
    get waitingFor() {
      return ask.waitingFor
    },
    close: ask.close
  }

  async function learn(id: number): Promise<void> {
    const schema = await fetchSchema(id, ask.get)
    // what an id means never changes; that it means nothing can
    const until = schema.type === 'unknown' ? now() + UNKNOWN_MS : Infinity
    schemas.set(id, { schema: schema.type === 'unknown' ? { type: 'unusable', failure: schema.failure } : schema, until })
    forgetOldest(schemas)
  }
}

const UNKNOWN_MS = 10_000
const MAX_SCHEMAS = 1000

/** Ids come out of records, so anybody can make up any number of them. */
function forgetOldest(schemas: Map<number, unknown>): void {
  if (schemas.size <= MAX_SCHEMAS) return
  for (const id of schemas.keys()) {
    schemas.delete(id)
    return
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = (): void => clearTimeout(timer)
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
