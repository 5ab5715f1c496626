import { readConfig, type ServiceSettings } from '@keystamp/connector'
import type { Surroundings } from '../surroundings.ts'
import { readSettingsText, readTextFile } from './read-text.ts'

/** The settings of a configuration file, or of standard input. Throws a ConfigError. */
export async function readSettings(path: string, surroundings: Surroundings): Promise<ServiceSettings> {
  const text = await readSettingsText(path, surroundings)
  const source = path === '-' ? { text, name: 'standard input' } : path
  return readConfig(source, { env: surroundings.env, readFile: readTextFile })
}
