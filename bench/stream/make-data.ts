import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createTelemetry } from '@keystamp/testkit'

/** Input files of the stream benches. They are generated once, with a fixed seed. */
export interface BenchData {
  readonly big: string
  readonly small: string
  readonly array: string
}

export async function makeData(folder: string, bytes: number): Promise<BenchData> {
  mkdirSync(folder, { recursive: true })
  const name = (kind: string): string => join(folder, `${kind}-${bytes}.json`)
  const telemetry = createTelemetry(42)
  await makeFile(name('big'), bytes, telemetry.big, ['', '\n', '\n'])
  await makeFile(name('small'), bytes, telemetry.small, ['', '\n', '\n'])
  await makeFile(name('array'), bytes, telemetry.big, ['[', ',', ']'])
  return { big: name('big'), small: name('small'), array: name('array') }
}

async function makeFile(
  path: string,
  bytes: number,
  next: () => object,
  [open, between, close]: readonly [string, string, string]
): Promise<void> {
  if (existsSync(path)) return
  await pipeline(Readable.from(pieces(bytes, next, [open, between, close])), createWriteStream(`${path}.partial`))
  renameSync(`${path}.partial`, path)
}

function* pieces(
  bytes: number,
  next: () => object,
  [open, between, close]: readonly [string, string, string]
): Generator<string> {
  let made = 0
  let piece = open
  for (let isFirst = true; made < bytes; isFirst = false) {
    piece += (isFirst ? '' : between) + JSON.stringify(next())
    if (piece.length < 1 << 20 && made + piece.length < bytes) continue
    made += piece.length
    yield piece
    piece = ''
  }
  yield close
}
