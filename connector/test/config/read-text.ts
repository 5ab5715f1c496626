import { ConfigError } from '../../src/config/describe-issue.ts'
import { readConfig } from '../../src/config/read-config.ts'
import type { ServiceSettings, SinkSettings } from '../../src/config/settings.ts'

export interface World {
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
}

/** Reads a configuration that lies at /etc/keystamp/sink.yaml of a world that is made up. */
export function readText(text: string, { env = {}, files = {} }: World = {}): Promise<ServiceSettings> {
  const readFile = async (path: string): Promise<string> => {
    // on Windows the path begins with a drive
    const found = files[path.replace(/^[A-Z]:/, '').replaceAll('\\', '/')]
    if (found === undefined) throw new Error('there is no such file')
    return found
  }
  return readConfig({ text, name: '/etc/keystamp/sink.yaml' }, { env, readFile })
}

/** The mistakes of a configuration, a line each: place and sentence. */
export async function mistakesOf(text: string, world: World = {}): Promise<readonly string[]> {
  try {
    await readText(text, world)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim().replace('/etc/keystamp/sink.yaml:', ''))
  }
}

/** The least that a sink needs. */
export const MINIMAL = `name: drives
kafka:
  brokers: [localhost:9092]
  topics: [drives]
cosmos:
  endpoint: http://127.0.0.1:8081/
  database: fleet
  container: drives
`

/** The only sink of a configuration that has what is least, and this. */
export async function sinkOf(more: string, world: World = {}): Promise<SinkSettings> {
  const { sinks } = await readText(MINIMAL + more, world)
  return sinks[0]
}
