import type { PackageShape, SourceFile, TestShape } from './measure.ts'

/**
 * Content of `scripts/house-limits.json`: the measurements when the limits were last lowered, and the goals. The check
 * fails above a limit, and `--update` only lowers limits.
 */
export interface HouseLimits {
  readonly goals: Readonly<Record<CountName, number>>
  readonly limits: Readonly<Record<CountedLimit, number>>
  /** Pairs of rooms that import each other, by package. */
  readonly roomPairs: Readonly<Record<string, readonly string[]>>
  /** Rooms that are part of a cycle of any length, by package. */
  readonly roomsInCycles: Readonly<Record<string, readonly string[]>>
  /**
   * Limits of the files over `LONG_LINES`, by path: the number of lines, rounded up to the next 50, so that a fix may
   * add a line or two.
   */
  readonly longFiles: Readonly<Record<string, number>>
  /** Small files that may stay, by path, each with the public concept that readers look for under this name. */
  readonly concepts: Readonly<Record<string, string>>
}

/** Limits that are a number; the other limits are lists. */
export const COUNTED_LIMITS = ['sourceFiles', 'smallFiles', 'testsListedByHand'] as const
export type CountedLimit = (typeof COUNTED_LIMITS)[number]
export const COUNT_NAMES = [...COUNTED_LIMITS, 'roomPairs', 'roomsInCycles', 'longFiles'] as const
export type CountName = (typeof COUNT_NAMES)[number]

/** The measurements in the form of the limits. */
export interface HouseReport {
  readonly counts: Readonly<Record<CountName, number>>
  readonly smallFiles: readonly SourceFile[]
  readonly roomPairs: Readonly<Record<string, readonly string[]>>
  readonly roomsInCycles: Readonly<Record<string, readonly string[]>>
  readonly longFiles: readonly SourceFile[]
  readonly unknownSuffixes: readonly string[]
  /** Entries of `concepts` that are not small files with a single importer. */
  readonly staleConcepts: readonly string[]
  readonly packages: readonly PackageShape[]
}

const SMALL_LINES = 25
const LONG_LINES = 300
const LONG_STEP = 50

export function reportHouse(
  packages: readonly PackageShape[],
  tests: TestShape,
  concepts: HouseLimits['concepts']
): HouseReport {
  const files = packages.flatMap((each) => each.files)
  const small = files.filter(({ lines, importers }) => lines < SMALL_LINES && importers.length === 1)
  const smallFiles = small.filter(({ path }) => !(path in concepts))
  const longFiles = files.filter(({ lines }) => lines > LONG_LINES)
  return {
    counts: {
      sourceFiles: files.length,
      smallFiles: smallFiles.length,
      testsListedByHand: tests.listedByHand.length,
      roomPairs: packages.flatMap(({ pairs }) => pairs).length,
      roomsInCycles: packages.flatMap(({ roomsInCycles }) => roomsInCycles).length,
      longFiles: longFiles.length
    },
    smallFiles,
    roomPairs: byPackage(packages, ({ pairs }) => pairs),
    roomsInCycles: byPackage(packages, ({ roomsInCycles }) => roomsInCycles),
    longFiles,
    unknownSuffixes: tests.unknownSuffixes,
    staleConcepts: Object.keys(concepts).filter((path) => !small.some((file) => file.path === path)),
    packages
  }
}

/** One message for each exceeded limit: what, where, and a remedy. */
export function findViolations(report: HouseReport, limits: HouseLimits): string[] {
  return [
    ...COUNTED_LIMITS.filter((name) => report.counts[name] > limits.limits[name]).map(
      (name) =>
        `${LABELS[name]}: ${report.counts[name]}, the limit is ${limits.limits[name]}. ${remedyFor(name, report)}`
    ),
    ...newEntries(report.roomPairs, limits.roomPairs).map(
      ({ name, entry }) =>
        `${name}/src: two rooms import each other: ${entry}. Move the code that both need into the lower room; type imports count.`
    ),
    ...newEntries(report.roomsInCycles, limits.roomsInCycles).map(
      ({ name, entry }) =>
        `${name}/src: imports of the room ${entry} lead back to it. Rooms import in one direction; type imports count.`
    ),
    ...report.longFiles
      .filter(({ path, lines }) => lines > (limits.longFiles[path] ?? LONG_LINES))
      .map(
        ({ path, lines }) =>
          `${path} has ${lines} lines, the limit is ${limits.longFiles[path] ?? LONG_LINES}. Split it by concept.`
      ),
    ...report.unknownSuffixes.map(
      (path) =>
        `${path}: the name of a test file must end with .test.ts, .int.test.ts, .isolated.int.test.ts or .long.test.ts.`
    ),
    ...report.staleConcepts.map(
      (path) =>
        `${path} is not a small file with a single importer: delete it from "concepts" of scripts/house-limits.json.`
    ),
    ...Object.entries(limits.concepts)
      .filter(([, concept]) => concept.trim() === '')
      .map(([path]) => `"concepts" of scripts/house-limits.json names no concept for ${path}.`)
  ]
}

/** The limits after an improvement. No number increases, and no entry is added. */
export function lowerLimits(report: HouseReport, before: HouseLimits): HouseLimits {
  const lines = new Map(report.longFiles.map((file) => [file.path, file.lines]))
  return {
    goals: before.goals,
    limits: Object.fromEntries(
      COUNTED_LIMITS.map((name) => [name, Math.min(before.limits[name], report.counts[name])])
    ) as HouseLimits['limits'],
    roomPairs: keepFound(before.roomPairs, report.roomPairs),
    roomsInCycles: keepFound(before.roomsInCycles, report.roomsInCycles),
    longFiles: Object.fromEntries(
      Object.entries(before.longFiles).flatMap(([path, limit]) =>
        lines.has(path) ? [[path, Math.min(limit, Math.ceil(lines.get(path)! / LONG_STEP) * LONG_STEP)]] : []
      )
    ),
    concepts: before.concepts
  }
}

export const LABELS: Readonly<Record<CountName, string>> = {
  sourceFiles: 'source files',
  smallFiles: `files under ${SMALL_LINES} lines with a single importer`,
  testsListedByHand: 'test files listed by hand in vitest.config.ts',
  roomPairs: 'pairs of rooms that import each other',
  roomsInCycles: 'rooms in a cycle of imports',
  longFiles: `files over ${LONG_LINES} lines`
}

function remedyFor(name: CountedLimit, { smallFiles }: HouseReport): string {
  switch (name) {
    case 'sourceFiles':
      return 'Put a new export into the file of its concept.'
    case 'smallFiles':
      return `Merge one into its importer, or name its public concept in "concepts" of scripts/house-limits.json:\n${smallFiles.map(smallFileLine).join('\n')}`
    case 'testsListedByHand':
      return 'Give the test the suffix .int.test.ts or .long.test.ts instead.'
  }
}

export function smallFileLine({ path, lines, importers }: SourceFile): string {
  return `  ${path} (${lines} lines) <- ${importers[0]}`
}

type Lists = Readonly<Record<string, readonly string[]>>

function newEntries(found: Lists, known: Lists): { name: string; entry: string }[] {
  return Object.entries(found).flatMap(([name, entries]) =>
    entries.filter((entry) => !(known[name] ?? []).includes(entry)).map((entry) => ({ name, entry }))
  )
}

function keepFound(known: Lists, found: Lists): Lists {
  return Object.fromEntries(
    Object.entries(known)
      .map(([name, entries]) => [name, entries.filter((entry) => found[name]?.includes(entry))] as const)
      .filter(([, entries]) => entries.length > 0)
  )
}

function byPackage(packages: readonly PackageShape[], select: (shape: PackageShape) => readonly string[]): Lists {
  return Object.fromEntries(
    packages.map((shape) => [shape.name, select(shape)] as const).filter(([, found]) => found.length > 0)
  )
}
