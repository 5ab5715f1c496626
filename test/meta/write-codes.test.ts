import { isKeystampError } from '@keystamp/core'
import { WRITE_CODES } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import { thrownBy } from './thrown-by.ts'
import { WRITE_CODE_MAKERS, WRITER_ERROR_MAKERS } from './write-code-makers.ts'

describe('every error code of a writer', () => {
  it.each(Object.entries(WRITE_CODE_MAKERS))('is the code of a rejected write: %s', async (code, write) => {
    expect(await write()).toMatchObject({ kind: 'rejected', code })
  })

  it.each(Object.entries(WRITER_ERROR_MAKERS))('is thrown: %s', async (code, make) => {
    const error = await thrownBy(make)

    expect(isKeystampError(error) && error.code).toBe(code)
  })

  it('is covered by this file, which covers no other codes', () => {
    expect(Object.keys(WRITE_CODE_MAKERS)).toEqual(Object.keys(WRITE_CODES))
  })
})
