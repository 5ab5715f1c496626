import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findViolations, type HouseLimits, lowerLimits, reportHouse } from '../house/limits.ts'
import { measurePackages, measureTests } from '../house/measure.ts'

const NO_LIMITS: HouseLimits = {
  goals: { sourceFiles: 0, smallFiles: 0, testsListedByHand: 0, roomPairs: 0, roomsInCycles: 0, longFiles: 0 },
  limits: { sourceFiles: 100, smallFiles: 0, testsListedByHand: 0 },
  roomPairs: {},
  roomsInCycles: {},
  longFiles: {},
  concepts: {}
}
const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true })
})

describe('the limit of source files', () => {
  it('counts hand-written files below src, without declarations, generated files and tests', () => {
    const root = tree({
      'src/one.ts': '',
      'src/two.ts': '',
      'src/three.d.ts': '',
      'src/generated/four.ts': '',
      'test/five.test.ts': ''
    })
    expect(violationsOf(root, { limits: { ...NO_LIMITS.limits, sourceFiles: 2 } })).toEqual([])
    expect(violationsOf(root, { limits: { ...NO_LIMITS.limits, sourceFiles: 1 } })).toEqual([
      expect.stringContaining('source files: 2, the limit is 1.')
    ])
  })
})

describe('small files', () => {
  const small = { 'src/a.ts': "import type { B } from './b.ts'\n", 'src/b.ts': 'export type B = 1\n' }

  it('with a single importer are listed with this importer, even if it imports only a type', () => {
    expect(violationsOf(tree(small))).toEqual([
      expect.stringContaining('packages/x/src/b.ts (1 lines) <- packages/x/src/a.ts')
    ])
  })

  it('are not listed if they have two importers, no importer, or 25 lines', () => {
    expect(violationsOf(tree({ ...small, 'src/c.ts': "export { b } from './b.ts'\n" }))).toEqual([])
    expect(violationsOf(tree({ ...small, 'src/b.ts': 'export type B = 1\n'.repeat(25) }))).toEqual([])
    expect(violationsOf(tree({ 'src/b.ts': '' }))).toEqual([])
  })

  it('are not listed if `concepts` names their public concept, as long as they are small and have a single importer', () => {
    const concepts = { 'packages/x/src/b.ts': 'the type B' }
    expect(violationsOf(tree(small), { concepts })).toEqual([])
    expect(violationsOf(tree(small), { concepts: { 'packages/x/src/b.ts': ' ' } })).toEqual([
      expect.stringContaining('names no concept')
    ])
    expect(violationsOf(tree({ 'src/b.ts': '' }), { concepts })).toEqual([
      expect.stringContaining('delete it from "concepts"')
    ])
  })
})

describe('rooms, which are the folders directly below src,', () => {
  const rooms = { 'src/one/a.ts': "import { b } from '../two/b.ts'\n".repeat(25), 'src/two/b.ts': '\n'.repeat(25) }

  it('may import in one direction', () => {
    expect(violationsOf(tree(rooms))).toEqual([])
  })

  it('must not import each other, not even types', () => {
    const back = { ...rooms, 'src/two/c.ts': "import type { A } from '../one/a.ts'\n".repeat(25) }
    expect(violationsOf(tree(back))).toEqual([
      expect.stringContaining('packages/x/src: two rooms import each other: one <-> two.'),
      expect.stringContaining('imports of the room one lead back to it.'),
      expect.stringContaining('imports of the room two lead back to it.')
    ])
    const known = { roomPairs: { 'packages/x': ['one <-> two'] }, roomsInCycles: { 'packages/x': ['one', 'two'] } }
    expect(violationsOf(tree(back), known)).toEqual([])
  })

  it('must not import each other through a third room', () => {
    const ring = {
      ...rooms,
      'src/two/c.ts': "export * from '../three/d.ts'\n".repeat(25),
      'src/three/d.ts': "const a = await import('../one/a.ts')\n".repeat(25)
    }
    expect(violationsOf(tree(ring))).toEqual(
      ['one', 'three', 'two'].map((room) => expect.stringContaining(`of the room ${room} lead back`))
    )
  })

  it('may be imported by the entry point, which is not a room', () => {
    expect(violationsOf(tree({ ...rooms, 'src/index.ts': "export * from './one/a.ts'\n" }))).toEqual([])
    const toEntry = {
      'src/index.ts': "export * from './one/a.ts'\n",
      'src/one/a.ts': "import { x } from '../index.ts'\n".repeat(25)
    }
    expect(violationsOf(tree(toEntry), { limits: { ...NO_LIMITS.limits, smallFiles: 1 } })).toEqual([])
  })
})

describe('source files', () => {
  it('may have at most 300 lines, or the number of lines in their own limit', () => {
    expect(violationsOf(tree({ 'src/a.ts': '\n'.repeat(300) }))).toEqual([])
    const long = tree({ 'src/a.ts': '\n'.repeat(310) })
    expect(violationsOf(long)).toEqual([
      expect.stringContaining('packages/x/src/a.ts has 310 lines, the limit is 300.')
    ])
    expect(violationsOf(long, { longFiles: { 'packages/x/src/a.ts': 310 } })).toEqual([])
    expect(violationsOf(long, { longFiles: { 'packages/x/src/a.ts': 309 } })).toHaveLength(1)
  })
})

describe('test files', () => {
  it('must have a suffix for their kind', () => {
    const known = ['a.test.ts', 'b.int.test.ts', 'c.long.test.ts', 'd.isolated.int.test.ts']
    expect(violationsOf(tree(Object.fromEntries(known.map((name) => [`test/${name}`, '']))))).toEqual([])
    const unknown = tree({ 'test/a.spec.ts': '', 'test/b.slow.test.ts': '' })
    expect(violationsOf(unknown)).toEqual(['a.spec.ts', 'b.slow.test.ts'].map((name) => expect.stringContaining(name)))
  })

  it('must not be listed by name in vitest.config.ts', () => {
    const root = tree({ 'test/a.test.ts': '' })
    writeFileSync(
      join(root, 'vitest.config.ts'),
      "const slow = [\n  'packages/x/test/a.test.ts',\n  '**/*.int.test.ts'\n]\n"
    )
    expect(violationsOf(root)).toEqual([
      expect.stringContaining('listed by hand in vitest.config.ts: 1, the limit is 0.')
    ])
  })
})

describe('limits', () => {
  it('are lowered to the measurements, and never raised', () => {
    const root = tree({ 'src/a.ts': '\n'.repeat(310), 'src/b.ts': "import './a.ts'\n" })
    const before: HouseLimits = {
      ...NO_LIMITS,
      limits: { sourceFiles: 1, smallFiles: 5, testsListedByHand: 0 },
      roomPairs: { 'packages/x': ['one <-> two'] },
      longFiles: { 'packages/x/src/a.ts': 400, 'packages/x/src/gone.ts': 400 }
    }
    expect(lowerLimits(report(root), before)).toEqual({
      ...NO_LIMITS,
      limits: { sourceFiles: 1, smallFiles: 0, testsListedByHand: 0 },
      longFiles: { 'packages/x/src/a.ts': 350 }
    })
  })

  it('make the command fail with --check if a file exceeds them, and the message names the file', () => {
    const root = tree({ 'src/a.ts': '\n'.repeat(310) })
    mkdirSync(join(root, 'scripts'))
    writeFileSync(join(root, 'scripts/house-limits.json'), JSON.stringify(NO_LIMITS))
    const check = (): { status: number | null; stderr: string } =>
      spawnSync(process.execPath, ['--import', 'tsx', 'scripts/house.ts', '--check', '--root', root], {
        encoding: 'utf8'
      })
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('packages/x/src/a.ts has 310 lines') })

    writeFileSync(join(root, 'packages/x/src/a.ts'), '')
    expect(check()).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(readFileSync(join(root, 'scripts/house-limits.json'), 'utf8'))).toEqual(NO_LIMITS)
  })
})

/** A repository with one package, `packages/x`. */
function tree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'keystamp-house-'))
  roots.push(root)
  mkdirSync(join(root, 'packages/x/src'), { recursive: true })
  for (const [path, text] of Object.entries({ 'package.json': '{}', ...files })) {
    mkdirSync(dirname(join(root, 'packages/x', path)), { recursive: true })
    writeFileSync(join(root, 'packages/x', path), text)
  }
  return root
}

function report(root: string, concepts: HouseLimits['concepts'] = {}): ReturnType<typeof reportHouse> {
  return reportHouse(measurePackages(root), measureTests(root), concepts)
}

function violationsOf(root: string, limits: Partial<HouseLimits> = {}): string[] {
  return findViolations(report(root, limits.concepts), { ...NO_LIMITS, ...limits })
}
