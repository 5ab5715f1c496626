import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

// their texts contain made-up laws
const NOT_READ = ['test/meta/laws.test.ts', 'test/meta/titled-tests.test.ts']

/** Texts of all test files of the repository by their paths, in the order of the paths. */
export function testSources(): Map<string, string> {
  const folders = [
    'test',
    'connector/test',
    ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/test`)
  ]
  const files = folders.flatMap(filesUnder).filter((file) => file.endsWith('.test.ts') && !NOT_READ.includes(file))
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))
}

function filesUnder(folder: string): string[] {
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.includes('node_modules'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
