/** The keys of a Kafka Connect configuration, each of which has to be accounted for. */
export interface ConnectConfig {
  /** The value of a key, which is then done with; empty texts count as absent. */
  readonly take: (key: string) => string | undefined
  /** Whether a key is there, done with or not. */
  readonly has: (key: string) => boolean
  /** The keys that begin so, by what follows; they are done with. */
  readonly takeAll: (prefix: string) => ReadonlyMap<string, string>
  /** What nobody has taken. */
  readonly rest: () => readonly string[]
}

export function createConnectConfig(json: Readonly<Record<string, unknown>>): ConnectConfig {
  const values = new Map(Object.entries(json).map(([key, value]) => [key, textOf(value)]))
  const open = new Set(values.keys())

  function take(key: string): string | undefined {
    open.delete(key)
    const value = values.get(key)
    return value === '' ? undefined : value
  }

  return {
    take,
    has: (key) => values.has(key),
    takeAll: (prefix) => {
      const keys = [...open].filter((key) => key.startsWith(prefix))
      return new Map(keys.map((key) => [key.slice(prefix.length), take(key) ?? '']))
    },
    rest: () => [...open]
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
