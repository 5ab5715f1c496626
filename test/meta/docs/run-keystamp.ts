import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface ProcessOptions {
  /** Working directory of the process. */
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
}

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))

/**
 * Runs a command line of a page, such as `npx keystamp locate ...`, with the sources of this repository. Returns its
 * standard output. Rejects if the command fails.
 */
export async function runKeystamp(line: string, options: ProcessOptions): Promise<string> {
  const words = (line.replace(/\s+# .*$/, '').match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1'))
  const args = words.slice(words.indexOf('keystamp') + 1)
  return runProgram(COMMAND, options, args)
}

/**
 * Runs a Node program with the sources of this repository. Returns its standard output. Rejects if the program fails.
 */
export async function runProgram(
  program: string,
  { folder, env }: ProcessOptions,
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
