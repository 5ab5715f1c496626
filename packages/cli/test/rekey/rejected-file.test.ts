import { existsSync, readFileSync } from 'node:fs'
import { hashOfIdentity } from '@keystamp/move'
import { describe, expect, it } from 'vitest'
import { createRejectedFile } from '../../src/rekey/rejected-file.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

describe('the file of rejected documents', () => {
  const path = useTemporaryFolder()
  const identity = { key: ['device-1'], id: 'drive-1' }

  it('has a line for each document, in order, with the hash of its key and id', async () => {
    const file = createRejectedFile({ path: path('rejected'), showIds: false, onError: fail })
    for (let number = 0; number < 300; number++) file.add(identity, 'FIELD_MISSING', `Sentence ${number}.`)
    await file.close()
    const lines = readFileSync(path('rejected'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toStrictEqual(
      Array.from({ length: 300 }, (_, number) => ({
        document: hashOfIdentity(identity),
        code: 'FIELD_MISSING',
        message: `Sentence ${number}.`
      }))
    )
  })

  it('has keys and ids if they are asked for', async () => {
    const file = createRejectedFile({ path: path('rejected'), showIds: true, onError: fail })
    file.add({ key: ['device-1', null, undefined], id: 'drive-1' }, 'FIELD_MISSING', 'A field is missing.')
    await file.close()
    expect(readFileSync(path('rejected'), 'utf8')).toBe(
      '{"key":["device-1",null,{}],"id":"drive-1","code":"FIELD_MISSING","message":"A field is missing."}\n'
    )
  })

  it('reports once that it cannot be written, and does not end the process', async () => {
    const errors: unknown[] = []
    const file = createRejectedFile({
      path: path('no/such/folder'),
      showIds: false,
      onError: (error) => errors.push(error)
    })
    for (let number = 0; number < 3; number++) {
      file.add(identity, 'FIELD_MISSING', 'A field is missing.')
      await file.close()
    }
    expect(errors).toStrictEqual([expect.objectContaining({ code: 'ENOENT' })])
    expect(existsSync(path('no'))).toBe(false)
  })
})

function fail(error: unknown): void {
  throw error
}
