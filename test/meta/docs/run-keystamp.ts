import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface Place {
  /** Working directory of the process. */
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
}

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))

/**
 * Standard output of a line such as `npx keystamp locate ...` from a page, run with the sources of this repository.
 * Rejects when it fails.
 */
export async function runKeystamp(line: string, place: Place): Promise<string> {
  const words = (line.replace(/\s+# .*$/, '').match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1'))
  const args = words.slice(words.indexOf('keystamp') + 1)
  return runProgram(COMMAND, place, args)
}

/** Standard output of a Node program, run with the sources of this repository. Rejects when it fails. */
export async function runProgram(
  program: string,
  { folder, env }: Place,
  args: readonly string[] = []
): Promise<string> {
  const command = [
    '--conditions=@keystamp/source',
    '--import',
    import.meta.resolve('tsx'),
    resolve(folder, program),
    ...args
  ]
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    cwd: folder,
    env: { ...process.env, ...env }
  })
  return stdout
}
