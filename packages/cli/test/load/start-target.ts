import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'
import { afterEach } from 'vitest'

/** A container to load into, in an emulator that requires no signatures. */
export interface StartedTarget {
  readonly emulator: Emulator
  /** Value of `--to`. */
  readonly to: string
  readonly documents: () => Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** Starts targets for the tests of one file, and stops each target after its test. */
export function useTargets(): typeof startTarget {
  const started: StartedTarget[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map(({ emulator }) => emulator.stop()))
  })
  return async (options, paths) => {
    const target = await startTarget(options, paths)
    started.push(target)
    return target
  }
}

async function startTarget(
  options: EmulatorOptions = {},
  paths: readonly string[] = ['/partitionKey']
): Promise<StartedTarget> {
  const emulator = await startEmulator({ ranges: 4, ruPerSecond: 100_000, auth: 'off', ...options })
  await post(`${emulator.endpoint}dbs`, { id: 'd' })
  await post(`${emulator.endpoint}dbs/d/colls`, {
    id: 'c',
    partitionKey: { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 }
  })
  return { emulator, to: `${emulator.endpoint}d/c`, documents: () => readAll(`${emulator.endpoint}dbs/d/colls/c/docs`) }
}

async function post(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status} to ${url}.`)
}

async function readAll(url: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  let continuation: string | null = ''
  do {
    const headers: Record<string, string> = {
      'x-ms-max-item-count': '-1',
      ...(continuation === '' ? {} : { 'x-ms-continuation': continuation })
    }
    const answer: Response = await fetch(url, { headers })
    const { Documents: documents } = (await answer.json()) as { Documents: Record<string, unknown>[] }
    all.push(...documents)
    continuation = answer.headers.get('x-ms-continuation')
  } while (continuation !== null)
  return all
}
