import { appendFileSync, statSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { describeInputs } from '../../src/inputs/find-inputs.ts'
import { createInputChecksums } from '../../src/checkpoint/input-checksums.ts'
import type { InputPosition } from '../../src/inputs/read-lines.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const TEXT = 'one\ntwo\nthree\n'

describe('the checksums of the inputs of a load', () => {
  const path = useTemporaryFolder()

  it('cover the bytes before the current position, and all bytes of earlier inputs', async () => {
    writeFileSync(path('a'), TEXT)
    writeFileSync(path('b'), TEXT)
    const inputs = await describeInputs([path('a'), path('b')])
    const checksums = createInputChecksums({ inputs, isWhole: () => false, known: [] })

    const first = await checksums.advanceTo(placeAt(4))
    const second = await checksums.advanceTo(placeAt(8))
    const third = await checksums.advanceTo(placeAt(4, 1))

    expect(first.map(({ checked }) => checked)).toEqual([{ bytes: 4, crc32: crc32('one\n') }, undefined])
    expect(second[0].checked).toEqual({ bytes: 8, crc32: crc32('one\ntwo\n') })
    expect(third.map(({ checked }) => checked)).toEqual([
      { bytes: 14, crc32: crc32(TEXT) },
      { bytes: 4, crc32: crc32('one\n') }
    ])
  })

  it('are dropped for a file that changes during the load, because its bytes may no longer be the loaded bytes', async () => {
    writeFileSync(path('a'), TEXT)
    const inputs = await describeInputs([path('a')])
    const checksums = createInputChecksums({ inputs, isWhole: () => false, known: [] })
    await checksums.advanceTo(placeAt(4))

    appendFileSync(path('a'), 'four\n')

    expect((await checksums.advanceTo(placeAt(8)))[0].checked).toBeUndefined()
    expect((await checksums.advanceTo(placeAt(14)))[0].checked).toBeUndefined()
    expect(statSync(path('a')).size).toBe(19)
  })
})

function placeAt(byte: number, input = 0): InputPosition {
  return { input, line: 1, from: { line: 0, byte: 0 }, byte }
}
