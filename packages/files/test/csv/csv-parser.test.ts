import { KeystampError } from '@keystamp/core'
import { expect, test } from 'vitest'
import { createCsvParser } from '../../src/csv/csv-parser.ts'

test.each([17, 37, 64, 101, 500])(
  'the CSV parser keeps no reference to the buffer of a chunk of %i bytes, which is reused for the next chunk',
  async (length) => {
    const rows = Array.from({ length: 40 }, (_, n) => `r${n},"d\n${n}","x""y"`)
    const input = Buffer.from(`id,device,text\n${rows.join('\n')}\n`)
    const options = {
      maxPendingBytes: 1000,
      explain: (line: number, what: string) => new KeystampError('INPUT_INVALID', `${line}: ${what}`)
    }
    const whole = createCsvParser(options)
    await whole.push(input)
    const header = whole.header()!
    // a resumed load skips the check for a byte order mark, which would copy the first chunk
    const begin = input.indexOf('r0')
    const parser = createCsvParser({ ...options, from: { header, byte: begin, line: 2 } })
    const buffer = Buffer.alloc(length)
    let text = ''
    for (let at = begin; at < input.length; at += buffer.length) {
      const copied = input.copy(buffer, 0, at)
      text += String((await parser.push(buffer.subarray(0, copied))).bytes)
      buffer.fill('!')
    }
    text += String((await parser.finish()).bytes)

    expect(text.trim().split('\n')).toEqual(
      rows.map((_, n) => JSON.stringify({ id: `r${n}`, device: `d\n${n}`, text: 'x"y' }))
    )
  }
)
