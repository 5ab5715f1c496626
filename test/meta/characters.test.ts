import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SHARED = 'packages/core/src/text/characters.ts'

/** Modules whose loops are slower with imported constants; the comment in `characters.ts` says why. */
const WITH_OWN_CONSTANTS = [
  'connector/src/decode/json/json-cursor.ts',
  'connector/src/decode/json/write-number.ts',
  'connector/src/decode/json/write-text.ts',
  'packages/core/src/json/scan-scalar.ts',
  'packages/core/src/json/scanner.ts',
  'packages/core/src/time/iso-time.ts',
  'packages/move/src/digest/document-digest.ts',
  'packages/move/src/digest/hash-state.ts',
  'packages/move/src/digest/layout-digest.ts',
  'packages/move/src/digest/name-layouts.ts',
  'packages/move/src/digest/value-hash.ts',
  'packages/move/src/json/json-scalars.ts',
  'packages/stream/src/array/element-output.ts'
]

const characters = constantsOf(SHARED)

describe('constants for characters', () => {
  it('are declared in one shared module, except in modules with hot loops', () => {
    const others = sources().filter((file) => file !== SHARED && namesIn(file).some((name) => characters.has(name)))

    expect(others.toSorted()).toEqual(WITH_OWN_CONSTANTS)
  })

  it.each(WITH_OWN_CONSTANTS)('have the shared values in %s', (file) => {
    const own = namesIn(file).filter((name) => characters.has(name))

    expect(own.map((name) => [name, constantsOf(file).get(name)])).toEqual(
      own.map((name) => [name, characters.get(name)])
    )
  })
})

it.each(['COLON', 'NO_PREFIX', 'ROOT', 'UNWATCHED'])('%s has one value in all modules that declare it', (name) => {
  const values = sources().flatMap((file) => constantsOf(file).get(name) ?? [])

  expect(values.length).toBeGreaterThan(1)
  expect(new Set(values).size).toBe(1)
})

function namesIn(file: string): readonly string[] {
  return [...constantsOf(file).keys()]
}

/** Integer constants of a module, declared one by one or as `const [A, B] = [1, 2]`. */
function constantsOf(file: string): ReadonlyMap<string, number> {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const declarations = text.matchAll(/^(?:export )?const \[?([A-Z_]+(?:, [A-Z_]+)*)\]? = \[?([-\w, ]+)\]?$/gm)
  const pairs = [...declarations].flatMap(([, names, values]) => {
    const numbers = values.split(', ').map(Number)
    return names.split(', ').map((name, index): [string, number] => [name, numbers[index]])
  })
  return new Map(pairs.filter(([, value]) => Number.isInteger(value)))
}

/** Sources of all packages but the emulator, which imports no other package. */
function sources(): readonly string[] {
  const packages = readdirSync(join(ROOT, 'packages')).filter((name) => name !== 'emulator')
  return ['connector', ...packages.map((name) => `packages/${name}`)].flatMap((folder) =>
    readdirSync(join(ROOT, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/src/${name.replaceAll('\\', '/')}`)
  )
}
