import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SRC = fileURLToPath(new URL('../src', import.meta.url))

/** The folders of the sources, lowest first. Each may import the ones before it; `query` imports no other and is imported by `wire`. */
const ROOMS: readonly string[] = ['json', 'charge', 'partition', 'store', 'engine', 'fault', 'query', 'wire', 'control']
/** Files next to the folders that any folder may import, with the folders that they import themselves. */
const SHARED: Readonly<Record<string, readonly string[]>> = { 'service-error.ts': [], 'settings.ts': ['charge'] }

interface Import {
  readonly from: string
  readonly to: string
}

function importsOf(file: string): Import[] {
  const found = readFileSync(join(SRC, file), 'utf8').matchAll(/(?:from|import) '(\.{1,2}\/[^']+)'/g)
  return [...found].map(([, path]) => ({ from: file, to: relative(SRC, join(SRC, dirname(file), path)) }))
}

function isDownwards({ from, to }: Import): boolean {
  const [fromRoom, toRoom] = [from, to].map((file) => file.split(sep)[0])
  if (fromRoom === toRoom || (toRoom in SHARED && fromRoom !== 'query')) return true
  if (fromRoom in SHARED) return SHARED[fromRoom].includes(toRoom)
  // the other files next to the folders put them together
  if (!ROOMS.includes(fromRoom)) return true
  return fromRoom !== 'query' && ROOMS.includes(toRoom) && ROOMS.indexOf(toRoom) < ROOMS.indexOf(fromRoom)
}

describe('folders of the sources', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

  it('import each other in one direction only', () => {
    expect(files.flatMap(importsOf).filter((found) => !isDownwards(found))).toEqual([])
  })

  it.each([
    ['store/item.ts', 'wire/answer.ts'],
    ['charge/meter.ts', 'store/container.ts'],
    ['query/values.ts', 'store/item.ts'],
    ['engine/decide.ts', 'start-emulator.ts'],
    ['settings.ts', 'store/container.ts']
  ])('would not import upwards: %s of %s', (from, to) => {
    expect(isDownwards({ from: join(...from.split('/')), to: join(...to.split('/')) })).toBe(false)
  })

  it('are all in the order', () => {
    const rooms = new Set(files.filter((file) => file.includes(sep)).map((file) => file.split(sep)[0]))
    expect(rooms).toEqual(new Set(ROOMS))
  })
})
