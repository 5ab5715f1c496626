import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkKafkajsVersion } from '../../src/consume/kafkajs-version.ts'

it('accepts the kafkajs that is installed, which the package pins to that version', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly dependencies: { readonly kafkajs: string }
  }

  expect(() => checkKafkajsVersion()).not.toThrow()
  expect(() => checkKafkajsVersion(manifest.dependencies.kafkajs)).not.toThrow()
})

it('refuses another version of kafkajs by a sentence that names both', () => {
  expect(() => checkKafkajsVersion('2.3.0')).toThrow(
    'kafkajs 2.3.0 is installed, and this version of Keystamp works with kafkajs 2.2.4 only. Install that version.'
  )
})
