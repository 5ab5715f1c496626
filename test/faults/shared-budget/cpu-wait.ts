import { readFileSync } from 'node:fs'

/**
 * Milliseconds for which the main thread of a process was ready to run, and had no processor; 0 where the system does
 * not tell. Pauses that a process makes itself are not in it.
 */
export function cpuWaitMs(process: number | 'self'): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${process}/schedstat`, 'utf8').split(' ')
    return Number(waitedNs) / 1e6
  } catch {
    return 0
  }
}
