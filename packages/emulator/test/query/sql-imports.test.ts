import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

describe('the entry point for reading SQL', () => {
  it('imports no package, no module of Node and no file of the server', () => {
    const source = join(import.meta.dirname, '../../src')
    const files = [join(source, 'sql.ts')]
    for (const file of files) {
      for (const [, path] of readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g)) {
        expect(path).toMatch(/^\.\/(?:query\/)?[a-z-]+\.ts$/)
        const imported = join(dirname(file), path)
        if (!files.includes(imported)) files.push(imported)
      }
    }

    expect(files.length).toBeGreaterThan(5)
    expect(files.join()).not.toContain('function-table')
  })
})
