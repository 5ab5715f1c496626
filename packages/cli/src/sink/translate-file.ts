import { migrateConfig, type Note, translateConnect } from '@keystamp/connector'
import { isKeystampError } from '@keystamp/core'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES, type ExitCode, UsageError } from '../exit-codes.ts'
import { readSettingsText } from './read-settings.ts'

/**
 * Translates the configuration of a connector for a sink; prints YAML on standard output and notes on standard error.
 */
export async function translateFile(
  path: string,
  { json }: { readonly json: boolean },
  dependencies: Dependencies
): Promise<ExitCode> {
  const { stdout, stderr } = dependencies
  const { yaml, notes } = translate(await readSettingsText(path, dependencies), path)
  if (json) {
    stdout.write(`${JSON.stringify({ yaml, notes })}\n`)
  } else {
    stdout.write(yaml)
    stderr.write(describeNotes(notes))
  }
  return notes.some(({ kind }) => kind === 'refused') ? EXIT_CODES.usage : EXIT_CODES.ok
}

function translate(text: string, path: string): ReturnType<typeof translateConnect> {
  try {
    return translateConnect(text)
  } catch (error) {
    if (!isKeystampError(error)) throw error
    throw new UsageError(`${path === '-' ? 'Standard input' : path}: ${error.message}`)
  }
}

const TITLES: readonly (readonly [kind: Note['kind'], title: string])[] = [
  ['refused', 'Not translated, since the documents would differ. Decide before you start the sink:'],
  ['changed', 'To check:'],
  ['needless', 'Nothing to do:']
]

function describeNotes(notes: readonly Note[]): string {
  return TITLES.map(([kind, title]) => {
    const lines = notes
      .filter((note) => note.kind === kind)
      .map(({ key, message }) => `  ${key === '' ? message : `${key} ${message}.`}\n`)
    return lines.length === 0 ? '' : `${title}\n${lines.join('')}`
  }).join('')
}

/** Prints a configuration with the current names of its keys, and the renamed keys on standard error. */
export async function migrateFile(
  path: string,
  { json }: { readonly json: boolean },
  dependencies: Dependencies
): Promise<ExitCode> {
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
