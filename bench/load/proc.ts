import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** CPU time of a process so far; 0 if the system does not report it. */
export function cpuSecondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}

/** Resident memory of a process; 0 if the system does not report it, or if the process has ended. */
export function residentMbOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** The maximum of each tenth of the samples, rounded. */
export function tenthsOf(samples: readonly number[]): readonly number[] {
  const cut = (part: number): number => Math.floor((part * samples.length) / SHOWN)
  return Array.from({ length: SHOWN }, (_, part) => Math.round(Math.max(0, ...samples.slice(cut(part), cut(part + 1)))))
}

const SHOWN = 10
