import { readFileSync } from 'node:fs'
import { createPlan, isKeystampError } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { type Schema, schemaComplaints } from '@keystamp/core/internal'
import { BAD_PLANS, BEYOND_A_SCHEMA, GOOD_PLANS } from './plan-table.ts'

const SCHEMA = JSON.parse(readFileSync(new URL('../../docs/key-plan.schema.json', import.meta.url), 'utf8')) as Schema

const UNKNOWN_NAME = 'somethingLikeNothing'

describe('the schema of key plans', () => {
  it.each(GOOD_PLANS.map((plan) => [JSON.stringify(plan), plan]))(
    'accepts what the parser accepts: %s',
    (_text, plan) => {
      expect(isParsed(plan)).toBe(true)
      expect(schemaComplaints(SCHEMA, plan)).toEqual([])
    }
  )

  it.each(BAD_PLANS.map((plan) => [JSON.stringify(plan), plan]))(
    'refuses what the parser refuses: %s',
    (_text, plan) => {
      expect(isParsed(plan)).toBe(false)
      expect(schemaComplaints(SCHEMA, plan)).not.toEqual([])
    }
  )

  it.each(BEYOND_A_SCHEMA.map((plan) => [JSON.stringify(plan), plan]))(
    'accepts a plan that only the parser can refuse: %s',
    (_text, plan) => {
      expect(isParsed(plan)).toBe(false)
      expect(schemaComplaints(SCHEMA, plan)).toEqual([])
    }
  )

  it('has the same properties as the parser', () => {
    const { $defs } = SCHEMA as { $defs: Record<string, { properties?: object }> }
    const members = (name: string): string[] => Object.keys($defs[name].properties ?? {}).toSorted(byText)

    expect(knownTo({ [UNKNOWN_NAME]: 1 })).toEqual(members('plan').filter((name) => name !== 'levels'))
    expect(knownTo({ levels: [{ [UNKNOWN_NAME]: 1 }] })).toEqual(members('level'))
    expect(knownTo({ into: '/pk', from: [{ field: '/a', [UNKNOWN_NAME]: 1 }] })).toEqual(members('field'))
    expect(knownTo({ into: '/pk', from: [{ bucket: 'day', [UNKNOWN_NAME]: 1 }] })).toEqual(members('bucket'))
    expect(knownTo({ into: '/pk', from: [{ kafka: 'key', [UNKNOWN_NAME]: 1 }] })).toEqual(members('kafka'))
    expect(knownTo({ into: '/pk', from: [{ id: true }], suffix: { [UNKNOWN_NAME]: 1 } })).toEqual(members('suffix'))
    expect(knownTo({ into: '/pk', from: [{ id: true }], id: { [UNKNOWN_NAME]: 1 } })).toEqual(members('id'))
  })
})

function isParsed(plan: unknown): boolean {
  try {
    createPlan(plan as never)
    return true
  } catch (error) {
    if (isKeystampError(error) && error.code === 'PLAN_INVALID') return false
    throw error
  }
}

// if a name resembles no known name, the parser lists all known names
function knownTo(plan: unknown): string[] {
  try {
    createPlan(plan as never)
  } catch (error) {
    if (!isKeystampError(error)) throw error
    const list = /is not known here; known are (.*)/.exec(error.message)?.[1] ?? ''
    return list.split(', ').toSorted(byText)
  }
  return []
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1
}
