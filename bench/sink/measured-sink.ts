import type { EmulatorProcess } from '@keystamp/emulator'
import { cpuSecondsOf } from '../load/proc.ts'
import type { Watched } from './sink-process.ts'
import { countWrites, withEmulator } from './world.ts'

/** Records of a backlog, if nothing else is set. */
export const RECORDS = Number(process.env['KEYSTAMP_BENCH_RECORDS'] ?? 300_000)

/** A sink that is measured. */
export interface MeasuredWay {
  readonly start: (account: Pick<EmulatorProcess, 'endpoint' | 'key'>) => Watched | Promise<Watched>
  readonly records?: number
}

/** Rate, CPU and memory of a sink. */
export interface MeasuredSink {
  readonly perSecond: number
  /** CPU of all records, and of the second half, in microseconds a record. */
  readonly cpuMicros: number
  readonly lateCpuMicros: number
  readonly emulatorMicros: number
  readonly peakMb: number
  /** Time from the start of the process to the first write. */
  readonly firstWriteSeconds: number
}

/**
 * Measures rate and CPU from the first write to the last, and the time from the start of the process to the first
 * write.
 */
export function measureSink({ start, records = RECORDS }: MeasuredWay): Promise<MeasuredSink> {
  return withEmulator(async ({ endpoint, key, pid }) => {
    const startedMs = performance.now()
    const sink = await start({ endpoint, key })
    const sample = async (writes: number): Promise<Sample> => {
      const reached = await until(endpoint, writes)
      return { ...reached, cpu: cpuSecondsOf(sink.pid), emulator: cpuSecondsOf(pid) }
    }
    const first = await sample(1)
    const half = await sample(records / 2)
    const last = await sample(records)
    const peakMb = sink.peakMb()
    await sink.stop()
    return {
      perSecond: (last.writes - first.writes) / ((last.atMs - first.atMs) / 1000),
      cpuMicros: microsOf('cpu', first, last),
      lateCpuMicros: microsOf('cpu', half, last),
      emulatorMicros: microsOf('emulator', first, last),
      peakMb,
      firstWriteSeconds: (first.atMs - startedMs) / 1000
    }
  })
}

export function textOf(measured: MeasuredSink): string {
  const { perSecond, cpuMicros, lateCpuMicros, emulatorMicros, peakMb, firstWriteSeconds } = measured
  return (
    `${Math.round(perSecond).toLocaleString('en').padStart(7)} records/s, CPU ${cpuMicros.toFixed(1)} us a record (${lateCpuMicros.toFixed(1)}), at most ${Math.round(peakMb)} MB, ` +
    `first write after ${firstWriteSeconds.toFixed(1)} s; the emulator takes ${emulatorMicros.toFixed(1)} us`
  )
}

/** Writes and CPU seconds up to a moment. */
interface Sample {
  readonly writes: number
  readonly atMs: number
  readonly cpu: number
  readonly emulator: number
}

function microsOf(what: 'cpu' | 'emulator', from: Sample, to: Sample): number {
  return ((to[what] - from[what]) * 1e6) / (to.writes - from.writes)
}

async function until(endpoint: string, writes: number): Promise<{ readonly writes: number; readonly atMs: number }> {
  for (;;) {
    const now = await countWrites({ endpoint })
    if (now >= writes) return { writes: now, atMs: performance.now() }
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}
