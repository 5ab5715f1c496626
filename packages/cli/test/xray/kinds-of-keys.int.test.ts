import { type Emulator, startEmulator } from '@keystamp/emulator'
import type { XrayReport } from '@keystamp/planner'
import { afterEach, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'

let emulator: Emulator | undefined

afterEach(async () => {
  await emulator?.stop()
  emulator = undefined
})

interface Kind {
  readonly title: string
  readonly partitionKey: object
  readonly document: (index: number) => object
  readonly keyOf: (index: number) => readonly unknown[]
  /** Hash of the hot key, as `keystamp locate` shows it. */
  readonly hash: RegExp
}

const isHot = (index: number): boolean => index % 2 === 0

const KINDS: readonly Kind[] = [
  {
    title: 'a hierarchical key',
    partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 },
    document: (index) => ({ tenant: isHot(index) ? 'hot' : `t-${index}`, user: isHot(index) ? 7 : index }),
    keyOf: (index) => (isHot(index) ? ['hot', 7] : [`t-${index}`, index]),
    hash: /^[0-9A-F]{8}-[0-9A-F]{8}$/
  },
  {
    title: 'version 1 of the hash',
    partitionKey: { paths: ['/a/b'], kind: 'Hash', version: 1 },
    document: (index) => ({ a: { b: isHot(index) ? 'hot' : `k-${index}` } }),
    keyOf: (index) => [isHot(index) ? 'hot' : `k-${index}`],
    hash: /^[0-9A-F]{16}$/
  },
  {
    title: 'documents without the key',
    partitionKey: { paths: ['/key'], kind: 'Hash', version: 2 },
    document: (index) => (isHot(index) ? {} : { key: `k-${index}` }),
    keyOf: (index) => [isHot(index) ? {} : `k-${index}`],
    hash: /^[0-9A-F]{16}$/
  }
]

describe('keystamp xray of a container', () => {
  it.each(KINDS)('with $title finds its hot key', async ({ partitionKey, document, keyOf, hash }) => {
    emulator = await startEmulator({ auth: 'off', ranges: 4, ruPerSecond: 40_000 })
    const post = async (path: string, body: object, key?: readonly unknown[]): Promise<void> => {
      const headers: Record<string, string> =
        key === undefined ? {} : { 'x-ms-documentdb-partitionkey': JSON.stringify(key) }
      const answer = await fetch(`${emulator!.endpoint}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers
      })
      if (!answer.ok) throw new Error(`The emulator answered ${answer.status}: ${await answer.text()}`)
    }
    await post('dbs', { id: 'd' })
    await post('dbs/d/colls', { id: 'c', partitionKey })
    await Promise.all(
      Array.from({ length: 700 }, (_, index) =>
        post('dbs/d/colls/c/docs', { id: `${index}`, ...document(index) }, keyOf(index))
      )
    )
    // the change feed is read up to the present second
    await new Promise((resolve) => {
      setTimeout(resolve, 1100)
    })

    const args = ['xray', `${emulator.endpoint}d/c`, '--max-ru', '1000000', '--sample', '100', '--json']
    const { stdout, stderr } = await runCommand(args)

    expect(stderr).toBe('')
    const { findings } = JSON.parse(stdout) as XrayReport
    const [finding] = findings.filter(({ name }) => name === 'hot-key')
    expect(finding.value).toBeCloseTo(0.5)
    expect(finding.key).toMatch(hash)
  })
})
