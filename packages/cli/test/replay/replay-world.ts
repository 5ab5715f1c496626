import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { useTargets } from '../load/start-target.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

/** Every record with such a number has no field of the key. */
export const BAD_EVERY = 300
export const FIRST_MS: number = Date.now() - 3_600_000

/** A container and the configuration of a sink, for the tests of a file. */
export function useReplayWorld() {
  const start = useTargets()
  const path = useTemporaryFolder()
  return { path, world, marks }

  async function world(
    options: Parameters<typeof start>[0] = {},
    write = 'id: { strategy: metadata }',
    endpoint?: string
  ) {
    const target = await start(options)
    const config = path('sink.yaml')
    // a replay of files connects to no broker
    const text = `name: fleet
kafka: { brokers: ['127.0.0.1:1'], topics: [things] }
cosmos: { endpoint: '${endpoint ?? target.emulator.endpoint}', key: a2V5, database: d, container: c }
plan: { into: /partitionKey, from: [{ field: /device }] }
${write}
`
    writeFileSync(config, text)
    const url = `${target.emulator.endpoint}dbs/d/colls/c/docs`
    const post = async (document: object): Promise<void> => {
      const answer = await fetch(url, {
        method: 'POST',
        body: JSON.stringify(document),
        headers: { 'x-ms-documentdb-partitionkey': '["d"]' }
      })
      if (!answer.ok) throw new Error(`The emulator answered ${answer.status}.`)
    }
    return { ...target, config, post }
  }

  /** Number of marks in the journal. */
  function marks(): number {
    const file = path('journal/replayed.txt')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 2 : 0
  }
}

export function isBad(n: number): boolean {
  return n % BAD_EVERY === 0
}

/** A line of a file of dead letters. */
export function letter(
  n: number,
  timestampMs = FIRST_MS + n,
  value: object = isBad(n) ? { n } : { device: `d${n % 50}`, n }
): string {
  const line = {
    code: 'FIELD_MISSING',
    topic: 'things',
    partition: 0,
    offset: n,
    timestamp: String(timestampMs),
    key: null,
    value: Buffer.from(JSON.stringify(value)).toString('base64'),
    headers: []
  }
  return `${JSON.stringify(line)}\n`
}
