import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Example } from './examples-of.ts'

export interface Printed {
  readonly lines: readonly string[]
  /** Message of the thrown error, or an empty string. */
  readonly error: string
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const RUNNER = fileURLToPath(new URL('./print-examples.mjs', import.meta.url))

/** Runs examples as a user would, one after another in one process, against the packages of this repository. */
export async function runExamples(examples: readonly Example[], seconds = 60): Promise<readonly Printed[]> {
  // inside the repository, so that Node finds the packages
  const folder = await mkdtemp(join(ROOT, 'test', '.example-'))
  try {
    const files = await Promise.all(
      examples.map(async ({ text }, index) => {
        const file = join(folder, `example-${index}.mjs`)
        await writeFile(file, text)
        return file
      })
    )
    return JSON.parse(await outputOf([RUNNER, ...files], seconds)) as Printed[]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function outputOf(args: readonly string[], seconds: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const command = ['--conditions=@keystamp/source', '--import', 'tsx', ...args]
    const child = spawn(process.execPath, command, { timeout: seconds * 1000, stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(printed) : reject(new Error(`The examples ended with ${code}.`))))
  })
}
