import type { CheckName, UnseenPart } from '../report/xray-report.ts'
import { MIN_EVENTS } from './check-table.ts'
import type { CheckResults } from './checked.ts'
import type { XrayInput } from './xray-input.ts'

/** Parts that were not seen, with the checks that could not be made because of it. */
export function unseenOf(
  { unseen, load, ranges, definition, isShared, queries }: XrayInput,
  results: CheckResults
): readonly UnseenPart[] {
  const open = (names: readonly CheckName[]): readonly CheckName[] =>
    names.filter((name) => results[name].state === 'unseen')
  const parts: UnseenPart[] = unseen.map((part) => ({ ...part, checks: open(part.checks) }))
  const events = load?.counted.events ?? 0
  const ofLoad = open(['hot-key', 'many-keys-in-one-range', 'moving-hot-spot', 'unusable-throughput'])
  if (ofLoad.length > 0 && parts.every(({ checks }) => !checks.includes(ofLoad[0])))
    parts.push(
      events < MIN_EVENTS
        ? {
            what: 'load',
            why: `Only ${events} ${events === 1 ? 'write was' : 'writes were'} seen; ${MIN_EVENTS} are needed to compare keys and physical partitions. Look further back with --since.`,
            checks: ofLoad
          }
        : {
            what: 'load over time',
            why: 'Too few parts of the period had enough writes to compare them.',
            checks: ofLoad
          }
    )
  if (definition.kind !== 'MultiHash' && definition.version !== 2 && ranges.length > 1)
    parts.push({
      what: 'shares of the hash space',
      why: 'The container has version 1 of the partition hash, whose boundaries do not tell how even the splits are.',
      checks: open(['uneven-splits'])
    })
  if (isShared)
    parts.push({
      what: 'RU/s of the container',
      why: 'The containers of the database share its throughput, and the part of this container is not known.',
      checks: open(['merge-possible'])
    })
  if (queries.length === 0)
    parts.push({
      what: 'queries',
      why: 'The service does not tell which queries applications send: name them with --workload or --query, or give an export of Log Analytics (--log-export).',
      checks: open(['wide-queries'])
    })
  if (load?.source !== 'log')
    parts.push({
      what: 'reads and deletes',
      why: 'The change feed has only the latest version of each document that was written: reads and deletes are not in it, and repeated updates of a document count once.',
      checks: []
    })
  return parts
}
