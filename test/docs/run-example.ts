import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Example } from './examples-of.ts'

export interface Printed {
  readonly code: number | null
  readonly lines: readonly string[]
  readonly errors: string
}

const ROOT = new URL('../../', import.meta.url).pathname

/** Runs an example as a user would: in a process of its own, in an empty folder, against the packages of this repository. */
export async function runExample({ text }: Example, seconds = 20): Promise<Printed> {
  // below the repository, so that the packages are found
  const folder = await mkdtemp(join(ROOT, 'test', '.example-'))
  try {
    await writeFile(join(folder, 'example.mts'), text)
    return await run(folder, seconds)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(cwd: string, seconds: number): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const args = ['--conditions=@keystamp/source', '--import', 'tsx', 'example.mts']
    const child = spawn(process.execPath, args, { cwd, timeout: seconds * 1000, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    let errors = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, lines: printed.split('\n').slice(0, -1), errors }))
  })
}
