import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it.each(readdirSync('.cspell'))('.cspell/%s is sorted, and has each word once', (name) => {
  const [head, ...words] = readFileSync(`.cspell/${name}`, 'utf8').trimEnd().split('\n')
  expect(head).toMatch(/^# /)
  expect(words).toEqual([...new Set(words)].toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
})
