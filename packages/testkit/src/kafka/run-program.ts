import { spawn } from 'node:child_process'

/** Result of a program. */
export interface ProgramResult {
  /** Exit code; undefined if the program could not be started. */
  readonly code: number | null | undefined
  /** Standard output and error, in the order of arrival. */
  readonly output: string
}

/** Runs a program to its end. */
export function runProgram(name: string, options: readonly string[]): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(name, options, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8')
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', () => resolve({ code: undefined, output }))
    child.once('close', (code) => resolve({ code, output }))
  })
}
