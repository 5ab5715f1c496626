import type { RegistrySettings } from '../../config/settings.ts'
import { type Answer, createAsk } from './ask.ts'
import type { RegistrySurroundings } from './registry.ts'

/** What a registry says of a schema. */
export interface SchemaBody {
  readonly schema: string
  readonly schemaType?: unknown
  readonly references?: unknown
}

/** Questions to a registry that are asked until they are answered. */
export interface PatientAsk {
  /** A schema; undefined where the registry says that it does not know such a thing. Never settles once closed. */
  readonly get: (path: string) => Promise<SchemaBody | undefined>
  /** Why an answer is still out. */
  readonly waitingFor: string | undefined
  readonly close: () => void
}

/** Makes a client that is patient with a registry that cannot be reached. */
export function createPatientAsk(
  settings: RegistrySettings,
  { httpGet, wait, auth }: Pick<RegistrySurroundings, 'httpGet' | 'wait' | 'auth'>
): PatientAsk {
  const ask = createAsk(settings, httpGet, auth)
  const closed = new AbortController()
  const waiting = new Map<string, string>()
  return {
    get,
    get waitingFor() {
      return waiting.values().next().value
    },
    close() {
      closed.abort()
      waiting.clear()
    }
  }

  async function get(path: string): Promise<SchemaBody | undefined> {
    waiting.set(path, 'the schema registry has not answered yet')
    try {
      return await askUntilAnswered(path)
    } finally {
      waiting.delete(path)
    }
  }

  async function askUntilAnswered(path: string): Promise<SchemaBody | undefined> {
    let hasDenied = false
    for (let attempt = 0; ; attempt++) {
      const answer = await ask(path, closed.signal)
      if (closed.signal.aborted) return never()
      if (answer.kind === 'known' && isSchema(answer.body)) return answer.body
      if (answer.kind === 'unknown' && hasDenied) return undefined
      // a registry that copies from another may not have heard yet of what was registered a moment ago
      hasDenied = answer.kind === 'unknown'
      waiting.set(path, reasonOf(answer))
      await wait(hasDenied ? DENIED_MS : backOff(attempt), closed.signal)
    }
  }
}

const DENIED_MS = 500
const FIRST_MS = 200
const LONGEST_MS = 30_000

function backOff(attempt: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10))
}

function isSchema(body: unknown): body is SchemaBody {
  return typeof (body as Partial<SchemaBody> | null)?.schema === 'string'
}

function reasonOf(answer: Answer): string {
  if (answer.kind === 'silent') return answer.reason
  return answer.kind === 'unknown'
    ? 'the schema registry is asked again for what it did not know'
    : 'the schema registry answers without a schema'
}

function never(): Promise<never> {
  return new Promise(() => {})
}
