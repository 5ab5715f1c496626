import { readFileSync } from 'node:fs'
import { createPlan, ERROR_CODES, isKeystampError, RECORD_CODES, type Rejection, WARNING_CODES } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { thrownBy } from './thrown-by.ts'
import { WRITER_ERROR_MAKERS } from './write-code-makers.ts'
import { ERROR_CODE_MAKERS, THROWN_ELSEWHERE, RECORD_CODE_MAKERS, WARNED_PLANS } from './code-makers.ts'

describe('every documented error code', () => {
  it.each(Object.entries(RECORD_CODE_MAKERS))('is the code of a rejected record: %s', async (code, reject) => {
    const rejection = (await reject()) as Rejection

    expect(rejection.code).toBe(code)
    expect(rejection.message).toMatch(/^[A-Z].*\.$/)
  })

  it.each(Object.entries(ERROR_CODE_MAKERS))('is thrown: %s', async (code, make) => {
    const error = await thrownBy(make)

    expect(isKeystampError(error) && error.code).toBe(code)
  })

  it.each(Object.entries(THROWN_ELSEWHERE))('occurs in the test that produces it: %s', (code, file) => {
    expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(code)
  })

  it.each(Object.entries(WARNED_PLANS))('is the code of a warning: %s', (code, plan) => {
    expect(createPlan(plan).warnings.map((warning) => warning.code)).toEqual([code])
  })

  it('is covered by this file, which covers no other codes', () => {
    expect(Object.keys(RECORD_CODE_MAKERS)).toEqual(Object.keys(RECORD_CODES))
    expect(new Set([ERROR_CODE_MAKERS, WRITER_ERROR_MAKERS, THROWN_ELSEWHERE].flatMap(Object.keys))).toEqual(
      new Set(Object.keys(ERROR_CODES))
    )
    expect(Object.keys(WARNED_PLANS)).toEqual(Object.keys(WARNING_CODES))
  })

  it('has a sentence, a cause and a remedy, each with a full stop at the end', () => {
    for (const [code, entry] of [...Object.entries(RECORD_CODES), ...Object.entries(ERROR_CODES)]) {
      for (const text of [entry.sentence, entry.cause, entry.remedy]) expect(`${code}: ${text}`).toMatch(/: \S.*[.]$/)
    }
  })
})
