import { migrateConfig } from '@keystamp/connector'
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts'
import type { Dependencies } from '../dependencies.ts'
import { readSettingsText } from './read-settings.ts'

/** Prints a configuration with the current names of its keys, and on standard error what was renamed. */
export async function migrateFile(path: string, { json }: { readonly json: boolean }, dependencies: Dependencies): Promise<ExitCode> {
  const { stdout, stderr } = dependencies
  const name = path === '-' ? 'standard input' : path
  const { text, renamed } = migrateConfig({ text: await readSettingsText(path, dependencies), name })
  if (json) {
    stdout.write(`${JSON.stringify({ text, renamed })}\n`)
    return EXIT_CODES.ok
  }
  stdout.write(text)
  for (const { from, to } of renamed) stderr.write(`keystamp: renamed ${from} to ${to}.\n`)
  if (renamed.length === 0) stderr.write(`keystamp: ${name} uses no former names.\n`)
  return EXIT_CODES.ok
}
