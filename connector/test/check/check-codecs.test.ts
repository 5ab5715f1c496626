import { expect, test } from 'vitest'
import { checkCodecs } from '../../src/check/check-parts.ts'

test('checkCodecs succeeds on a machine that decompresses every codec that producers can choose', async () => {
  expect(await checkCodecs()).toBe('This machine can decompress gzip, snappy, lz4, zstd.')
})

test.each([
  [() => Buffer.from('something else'), 'This machine decompresses odd to wrong bytes.'],
  [
    () => {
      throw new Error('it is damaged')
    },
    'This machine cannot decompress odd: it is damaged.'
  ]
])('checkCodecs throws with the name of a codec that does not work on this machine', async (decompress, sentence) => {
  await expect(checkCodecs([{ name: 'odd', decompress, compressed: '00' }])).rejects.toThrow(sentence)
})
