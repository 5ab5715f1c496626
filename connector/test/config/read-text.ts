import { ConfigError } from '../../src/config/describe-issue.ts'
import { readConfig } from '../../src/config/read-config.ts'
import type { ServiceSettings, SinkSettings } from '../../src/config/settings.ts'

export interface World {
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
}

/** Reads a configuration as the file /etc/keystamp/sink.yaml, with a simulated environment and simulated files. */
export function readText(text: string, { env = {}, files = {} }: World = {}): Promise<ServiceSettings> {
  const readFile = async (path: string): Promise<string> => {
    // on Windows the path begins with a drive
    const found = files[path.replace(/^[A-Z]:/, '').replaceAll('\\', '/')]
    if (found === undefined) throw new Error('there is no such file')
    return found
  }
  return readConfig({ text, name: '/etc/keystamp/sink.yaml' }, { env, readFile })
}

/** The mistakes of a configuration, one line each: position and sentence. */
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

/** Smallest configuration of a sink. */
export const MINIMAL = `name: drives
kafka:
  brokers: [localhost:9092]
  topics: [drives]
cosmos:
  endpoint: http://127.0.0.1:8081/
  database: fleet
  container: drives
`

/** Reads the smallest configuration with these additional lines, and returns its only sink. */
export async function sinkOf(more: string, world: World = {}): Promise<SinkSettings> {
  const { sinks } = await readText(MINIMAL + more, world)
  return sinks[0]
}
