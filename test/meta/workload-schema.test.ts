import { readFileSync } from 'node:fs'
import { parseWorkload, WorkloadError } from '@keystamp/planner'
import { describe, expect, it } from 'vitest'
import { type Schema, schemaComplaints } from '@keystamp/core/internal'
import { BAD_WORKLOADS, BEYOND_A_SCHEMA, GOOD_WORKLOADS } from './workload-table.ts'

const SCHEMA = JSON.parse(readFileSync(new URL('../../docs/workload.schema.json', import.meta.url), 'utf8')) as Schema

const LIKE_NOTHING = 'somethingLikeNothing'

describe('the schema of workloads', () => {
  it.each(GOOD_WORKLOADS.map((workload) => [JSON.stringify(workload), workload]))(
    'accepts what the parser accepts: %s',
    (_text, workload) => {
      expect(mistakesOf(workload)).toEqual([])
      expect(schemaComplaints(SCHEMA, workload)).toEqual([])
    }
  )

  it.each(BAD_WORKLOADS.map((workload) => [JSON.stringify(workload), workload]))(
    'refuses what the parser refuses: %s',
    (_text, workload) => {
      expect(mistakesOf(workload)).not.toEqual([])
      expect(schemaComplaints(SCHEMA, workload)).not.toEqual([])
    }
  )

  it.each(BEYOND_A_SCHEMA.map((workload) => [JSON.stringify(workload), workload]))(
    'accepts a workload that only the parser can refuse: %s',
    (_text, workload) => {
      expect(mistakesOf(workload)).not.toEqual([])
      expect(schemaComplaints(SCHEMA, workload)).toEqual([])
    }
  )

  it('has the same properties as the parser', () => {
    const { properties, $defs } = SCHEMA as { properties: object; $defs: Record<string, { properties?: object }> }

    expect(knownTo({ [LIKE_NOTHING]: 1 })).toEqual(Object.keys(properties).toSorted())
    expect(knownTo({ writes: { rate: '1/s', [LIKE_NOTHING]: 1 } })).toEqual(namesOf($defs['writes']))
    expect(knownTo({ queries: [{ rate: '1/s', [LIKE_NOTHING]: 1 }] })).toEqual(namesOf($defs['query']))
    expect(knownTo({ queries: [{ rate: '1/s', between: [{ field: 'a', [LIKE_NOTHING]: 1 }] }] })).toEqual(
      namesOf($defs['range'])
    )
  })
})

function mistakesOf(workload: unknown): readonly string[] {
  try {
    parseWorkload(workload, { readSql: () => ({ equal: [], between: [], byId: false }) })
    return []
  } catch (error) {
    if (error instanceof WorkloadError) return error.mistakes.map(({ message }) => message)
    throw error
  }
}

// if a name resembles no known name, the parser lists all known names
function knownTo(workload: unknown): string[] {
  const list = mistakesOf(workload).map((message) => /^is not known here; known are (.*)/.exec(message)?.[1] ?? '')
  return list.flatMap((names) => (names === '' ? [] : names.split(', '))).toSorted()
}

function namesOf({ properties = {} }: { readonly properties?: object }): string[] {
  return Object.keys(properties).toSorted()
}
