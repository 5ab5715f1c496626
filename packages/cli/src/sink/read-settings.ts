import { readConfig, readRegularFile, type ServiceSettings } from '@keystamp/connector'
import { systemReason } from '@keystamp/core/internal'
import { text as readAll } from 'node:stream/consumers'
import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../exit-codes.ts'

/** The settings of a configuration file, or of standard input. Throws a ConfigError. */
export async function readSettings(path: string, dependencies: Dependencies): Promise<ServiceSettings> {
  const text = await readSettingsText(path, dependencies)
  const source = path === '-' ? { text, name: 'standard input' } : path
  return readConfig(source, { env: dependencies.env, readFile: readTextFile })
}

/** Reads a file as text, or standard input for `-`. Rejects with a sentence. */
async function readText(path: string, { stdin }: Pick<Dependencies, 'stdin'>): Promise<string> {
  return path === '-' ? readAll(stdin) : readTextFile(path)
}

/** Reads a regular file of up to a megabyte as text. Rejects with a sentence. */
async function readTextFile(path: string): Promise<string> {
  try {
    return await readRegularFile(path)
  } catch (error) {
    throw new Error(systemReason(error), { cause: error })
  }
}

/** The text of a configuration file, or of standard input. Throws a UsageError that names the file. */
export async function readSettingsText(path: string, dependencies: Pick<Dependencies, 'stdin'>): Promise<string> {
  try {
    return await readText(path, dependencies)
  } catch (error) {
    throw new UsageError(`The configuration ${path} cannot be read: ${(error as Error).message}.`)
  }
}
