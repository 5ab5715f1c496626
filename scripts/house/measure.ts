import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The shape of the sources of one package. Paths are relative to the repository, with `/`. */
export interface PackageShape {
  readonly name: string
  /** Hand-written source files: no declarations, nothing below `generated`. */
  readonly files: readonly SourceFile[]
  /** `a <-> b` for two rooms that import each other. */
  readonly pairs: readonly string[]
  /** Rooms whose imports lead back to the same room, directly or through other rooms. */
  readonly roomsInCycles: readonly string[]
}

export interface SourceFile {
  readonly path: string
  readonly lines: number
  /** Files of the same package that import this one; type imports count. */
  readonly importers: readonly string[]
}

export interface TestShape {
  /** Test files whose suffix is not in `TEST_SUFFIXES`. */
  readonly unknownSuffixes: readonly string[]
  /** Test files that vitest.config.ts lists by name, although their suffix should say of which kind they are. */
  readonly listedByHand: readonly string[]
}

const TEST_SUFFIXES: readonly string[] = ['.test.ts', '.int.test.ts', '.long.test.ts', '.isolated.int.test.ts']

const IMPORT = /(?:^(?:import|export)\b[^'"]*?\bfrom\s*|^import\s*|\bimport\(\s*)(['"])(\.[^'"]+)\1/gm
const NOT_OURS = new Set(['node_modules', 'dist', 'coverage'])
const GENERATED = /(^|\/)generated(\/|\.ts$)/

export function measurePackages(root: string): PackageShape[] {
  return ['packages', '.']
    .flatMap((base) => childrenOf(join(root, base)).map((name) => (base === '.' ? name : `${base}/${name}`)))
    .filter((folder) => existsSync(join(root, folder, 'package.json')) && existsSync(join(root, folder, 'src')))
    .toSorted()
    .map((folder) => measurePackage(root, folder))
}

export function measureTests(root: string): TestShape {
  const tests = childrenOf(root)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => filesBelow(root, name))
    .filter((path) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(path))
  const config = join(root, 'vitest.config.ts')
  const text = existsSync(config) ? readFileSync(config, 'utf8') : ''
  return {
    unknownSuffixes: tests.filter(
      (path) => !TEST_SUFFIXES.includes(`.${basename(path).split('.').slice(1).join('.')}`)
    ),
    listedByHand: [...text.matchAll(/const \w+(?:: [^=]+)? = \[([^\]]*)\]/g)].flatMap(([, list]) =>
      [...list.matchAll(/'([^']*\.test\.ts)'/g)]
        .map(([, path]) => path)
        .filter((path) => !/\/\*\.(int|long|isolated\.int)\.test\.ts$/.test(path))
    )
  }
}

function measurePackage(root: string, folder: string): PackageShape {
  const source = `${folder}/src`
  const paths = filesBelow(root, source).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !GENERATED.test(path)
  )
  const importers = new Map(paths.map((path) => [path, [] as string[]]))
  const rooms = new Map<string, Set<string>>()
  const lines = new Map<string, number>()
  for (const path of paths) {
    const text = readFileSync(join(root, path), 'utf8')
    lines.set(path, text.split('\n').length - (text.endsWith('\n') ? 1 : 0))
    for (const target of new Set(importsOf(path, text))) {
      importers.get(target)?.push(path)
      addArrow(rooms, roomOf(source, path), roomOf(source, target))
    }
  }
  return {
    name: folder,
    files: paths.map((path) => ({ path, lines: lines.get(path)!, importers: importers.get(path)! })),
    pairs: pairsOf(rooms),
    roomsInCycles: [...rooms.keys()].filter((room) => isInCycle(rooms, room)).toSorted()
  }
}

function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, , specifier]) => join(dirname(path), specifier).replaceAll('\\', '/'))
}

/**
 * The folder directly below `src`, or the file directly in `src`. The entry point is not a room: it imports all rooms.
 */
function roomOf(source: string, path: string): string | undefined {
  const [first] = path.slice(source.length + 1).split('/')
  return first === 'index.ts' ? undefined : first
}

function addArrow(rooms: Map<string, Set<string>>, from: string | undefined, to: string | undefined): void {
  if (from === undefined || to === undefined || from === to) return
  const known = rooms.get(from) ?? new Set()
  rooms.set(from, known.add(to))
}

function pairsOf(rooms: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...rooms]
    .flatMap(([from, targets]) =>
      [...targets].filter((to) => from < to && rooms.get(to)?.has(from) === true).map((to) => `${from} <-> ${to}`)
    )
    .toSorted()
}

function isInCycle(rooms: ReadonlyMap<string, ReadonlySet<string>>, room: string): boolean {
  const reached = new Set(rooms.get(room))
  for (const each of reached) for (const next of rooms.get(each) ?? []) reached.add(next)
  return reached.has(room)
}

/** Paths of all files below a folder, sorted. Leaves out installed and built files. */
function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesBelow(root, path)
      return entry.isFile() ? [path] : []
    })
    .toSorted()
}

function childrenOf(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_OURS.has(entry.name))
    .map(({ name }) => name)
}
