import { describe, expect, it } from 'vitest'
import { toContainerDefinition } from '../../src/account/container-definition.ts'

describe('toContainerDefinition', () => {
  it('takes a key definition without a version for version 1, as the service does', () => {
    const { partitionKey } = toContainerDefinition({ partitionKey: { paths: ['/pk'] } })

    expect(partitionKey).toEqual({ paths: ['/pk'], kind: 'Hash', version: 1 })
  })

  it('says undefined where nothing expires', () => {
    expect(toContainerDefinition({ partitionKey: { paths: ['/pk'] } }).defaultTtl).toBeUndefined()
  })
})
