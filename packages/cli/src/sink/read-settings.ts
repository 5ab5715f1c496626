import { readConfig, type ServiceSettings } from '@keystamp/connector'
import type { Surroundings } from '../surroundings.ts'
import { UsageError } from '../usage-error.ts'
import { readText, readTextFile } from './read-text.ts'

/** The settings of a configuration file, or of standard input. Throws a ConfigError. */
export async function readSettings(path: string, surroundings: Surroundings): Promise<ServiceSettings> {
  const text = await readSettingsText(path, surroundings)
  const source = path === '-' ? { text, name: 'standard input' } : path
  return readConfig(source, { env: surroundings.env, readFile: readTextFile })
}

/** The text of a configuration file, or of standard input. Throws a UsageError that names the file. */
export async function readSettingsText(path: string, surroundings: Pick<Surroundings, 'stdin'>): Promise<string> {
  try {
    return await readText(path, surroundings)
  } catch (error) {
    throw new UsageError(`The configuration ${path} cannot be read: ${(error as Error).message}.`)
  }
}
