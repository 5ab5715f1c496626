import { readConfig, type ServiceSettings } from '@keystamp/connector'
import type { Dependencies } from '../dependencies.ts'
import { readSettingsText, readTextFile } from './read-text.ts'

/** The settings of a configuration file, or of standard input. Throws a ConfigError. */
export async function readSettings(path: string, dependencies: Dependencies): Promise<ServiceSettings> {
  const text = await readSettingsText(path, dependencies)
  const source = path === '-' ? { text, name: 'standard input' } : path
  return readConfig(source, { env: dependencies.env, readFile: readTextFile })
}
