import { readConfig, type ServiceSettings } from '@keystamp/connector'
import type { Surroundings } from '../surroundings.ts'
import { readText, readTextFile } from './read-text.ts'

/** The settings of a configuration file, or of standard input. Throws a ConfigError. */
export async function readSettings(path: string, surroundings: Surroundings): Promise<ServiceSettings> {
  const source = path === '-' ? { text: await readText('-', surroundings), name: 'standard input' } : path
  return readConfig(source, { env: surroundings.env, readFile: readTextFile })
}
