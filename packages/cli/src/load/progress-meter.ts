import type { WriterStats } from '@keystamp/cosmos'
import type { LoadIdentity } from './checkpoint.ts'
import type { Place } from './place.ts'
import type { LoadProgress } from './progress-line.ts'
import type { LoadCounts } from './run-load.ts'

/** What a meter looks at. */
export interface MeterOptions {
  readonly inputs: LoadIdentity['inputs']
  readonly counts: Readonly<LoadCounts>
  /** Where the load began. */
  readonly begin: Place
  readonly stats: () => Pick<WriterStats, 'chargedRu' | 'budgetRuPerSecond' | 'busyRanges' | 'ranges'>
  /** Milliseconds that only ever grow. */
  readonly now: () => number
}

/** Takes the numbers of a load; rates are of the time since the last look. */
export function createProgressMeter({ inputs, counts, begin, stats, now }: MeterOptions): () => LoadProgress {
  const startMs = now()
  const all = sizeOf(inputs)
  const before = bytesBefore(inputs, begin)
  let last = { atMs: startMs, settled: 0, chargedRu: 0 }
  return () => {
    const { chargedRu, budgetRuPerSecond, busyRanges, ranges } = stats()
    const settled = counts.written + counts.unchanged + counts.rejected
    const atMs = now()
    const seconds = Math.max(0.001, (atMs - last.atMs) / 1000)
    const share = all === undefined ? undefined : Math.min(1, (before + counts.bytes) / all)
    const progress = {
      records: settled,
      rejected: counts.rejected,
      recordsPerSecond: (settled - last.settled) / seconds,
      ruPerSecond: (chargedRu - last.chargedRu) / seconds,
      budgetRuPerSecond,
      busyRanges,
      ranges: ranges.length,
      share,
      secondsLeft: secondsLeft(all === undefined ? 0 : all - before - counts.bytes, counts.bytes, (atMs - startMs) / 1000)
    }
    last = { atMs, settled, chargedRu }
    return progress
  }
}

/** The bytes of all inputs; undefined where they cannot be known: of what is compressed, and of standard input. */
export function sizeOf(inputs: LoadIdentity['inputs']): number | undefined {
  let all = 0
  for (const { name, bytes } of inputs) {
    if (bytes === null || /\.(?:gz|gzip|zst|zstd)$/i.test(name)) return undefined
    all += bytes
  }
  return all === 0 ? undefined : all
}

function bytesBefore(inputs: LoadIdentity['inputs'], { input, from }: Place): number {
  return inputs.slice(0, input).reduce((sum, { bytes }) => sum + (bytes ?? 0), from.byte)
}

function secondsLeft(left: number, done: number, seconds: number): number | undefined {
  return done === 0 || left <= 0 ? undefined : (seconds * left) / done
}
