import { expect, test } from 'vitest'
import { checkCodecs } from '../../src/check/check-parts.ts'

test('all that producers can choose is read', async () => {
  expect(await checkCodecs()).toBe('This machine can decompress gzip, snappy, lz4, zstd.')
})

test.each([
  [() => Buffer.from('something else'), 'Batches that are compressed by odd are read wrongly on this machine.'],
  [
    () => {
      throw new Error('it is damaged')
    },
    'Batches that are compressed by odd cannot be read on this machine: it is damaged.'
  ]
])('a codec that does not work here is named', async (decompress, sentence) => {
  await expect(checkCodecs([{ name: 'odd', decompress, compressed: '00' }])).rejects.toThrow(sentence)
})
