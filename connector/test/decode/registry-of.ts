import type { AuthGrace } from '../../src/lifecycle/auth-grace.ts'
import type { RegistrySettings } from '../../src/config/settings.ts'
import { createRegistry, type Registry } from '../../src/decode/registry.ts'
import type { RegistryDependencies } from '../../src/decode/registry-client.ts'

/** Answer of a registry to a path: a status and a body, or a network error. */
export type Answers = (path: string, attempt: number) => { readonly status: number; readonly body: unknown } | Error

/** A simulated registry with scripted answers. Its clock advances only by waits and by `pass`. */
export interface ScriptedRegistry {
  readonly registry: Registry
  readonly asked: readonly { readonly path: string; readonly authorization: string | null }[]
  readonly waits: readonly number[]
  readonly dependencies: RegistryDependencies
  /** Advances the clock. */
  readonly pass: (ms: number) => void
}

export const SETTINGS: RegistrySettings = {
  url: 'http://registry.test:8081/',
  username: undefined,
  password: undefined,
  token: undefined,
  timeoutMs: 1000
}

export function registryOf(
  answers: Answers,
  settings: RegistrySettings = SETTINGS,
  auth?: AuthGrace
): ScriptedRegistry {
  const asked: { path: string; authorization: string | null }[] = []
  const waits: number[] = []
  let time = 0
  const dependencies: RegistryDependencies = {
    auth,
    httpGet: (url, { headers }) => {
      const path = url.slice('http://registry.test:8081'.length)
      asked.push({ path, authorization: headers['authorization'] ?? null })
      const answer = answers(path, asked.filter((each) => each.path === path).length)
      if (answer instanceof Error) return Promise.reject(answer)
      return Promise.resolve({
        status: answer.status,
        body: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      })
    },
    wait: (ms) => {
      waits.push(ms)
      time += ms
      return Promise.resolve()
    },
    now: () => time
  }
  return {
    registry: createRegistry(settings, dependencies),
    asked,
    waits,
    dependencies,
    pass: (ms) => void (time += ms)
  }
}

export const found = (schema: unknown, rest: object = {}): { readonly status: number; readonly body: unknown } => ({
  status: 200,
  body: { schema: JSON.stringify(schema), ...rest }
})

export const missing = { status: 404, body: { error_code: 40_403, message: 'Schema not found' } }
