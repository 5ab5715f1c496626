import type { ConfigPath } from './config-path.ts'

/** Where the sinks of a file stand: at the top, or in a list. */
export function sinkPaths(value: object): readonly ConfigPath[] {
  if (!('sinks' in value)) return [[]]
  return Array.isArray(value.sinks) ? value.sinks.map((_sink, index) => ['sinks', index]) : []
}
