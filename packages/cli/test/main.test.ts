import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { useTemporaryFolder } from './temporary-folder.ts'

const COMMAND = fileURLToPath(new URL('../bin/keystamp.mjs', import.meta.url))
const LINES = '{"deviceId":"a"}\n{"x":1}\n'.repeat(200_000)

describe.runIf(process.platform !== 'win32')('keystamp in a process of its own', () => {
  const path = useTemporaryFolder()

  test('ends silently when the reader of its output closes the pipe, and leaves only the rejected records', async () => {
    writeFileSync(path('in.ndjson'), LINES)
    const child = spawnCommand([
      'stamp',
      '--from',
      'deviceId',
      path('in.ndjson'),
      '--on-error',
      `collect:${path('bad.ndjson')}`
    ])

    const said = await endOnceRead(child, 'stdout')

    expect(said).toEqual({ code: 0, stderr: '' })
    expect(readdirSync(path('.')).toSorted()).toEqual(['bad.ndjson', 'in.ndjson'])
    const rejected = readFileSync(path('bad.ndjson'), 'utf8').trimEnd().split('\n')
    expect(JSON.parse(rejected.at(-1) ?? '')).toMatchObject({ code: 'FIELD_MISSING' })
  }, 60_000)

  test('leaves no partial file when standard error is closed', async () => {
    const child = spawnCommand([
      'stamp',
      '--from',
      'deviceId',
      '-o',
      path('out.ndjson'),
      '--progress',
      'plain',
      '--on-error',
      'skip'
    ])
    const feed = setInterval(() => child.stdin?.write(LINES.slice(0, 2400)), 10)
    child.stdin?.on('error', () => {})

    const { code } = await endOnceRead(child, 'stderr')
    clearInterval(feed)

    expect(code).toBe(1)
    expect(readdirSync(path('.'))).toEqual([])
  }, 60_000)
})

function spawnCommand(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--conditions=@keystamp/source', '--import', 'tsx', COMMAND, ...args])
}

/** Closes the reading end of a pipe at the first bytes, as `head` does, and waits for the end of the command. */
async function endOnceRead(
  child: ChildProcess,
  name: 'stdout' | 'stderr'
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  child[name]?.once('data', () => child[name]?.destroy())
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, stderr }
}
