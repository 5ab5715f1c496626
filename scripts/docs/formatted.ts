import { readFile } from 'node:fs/promises'
import { format } from 'oxfmt'

/** Formats a generated page, so that the formatter never changes it. */
export async function formatted(path: string, text: string): Promise<string> {
  const { $schema: _schema, ignorePatterns: _ignored, ...options } = JSON.parse(await readFile('.oxfmtrc.json', 'utf8'))
  const { code, errors } = await format(path, text, options)
  if (errors.length > 0)
    throw new Error(`${path} cannot be formatted: ${errors.map(({ message }) => message).join('; ')}`)
  return code
}
