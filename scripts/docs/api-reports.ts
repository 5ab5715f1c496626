import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { apiReport } from './api-report.ts'

/** The API report of each public package with an entry point. A change of a report is a change of the public API. */
export function apiReports(): { path: string; text: string }[] {
  buildDeclarations()
  return [...readdirSync('packages').map((name) => join('packages', name)), 'connector']
    .filter((folder) => existsSync(join(folder, 'src/index.ts')))
    .toSorted()
    .flatMap((folder) => {
      const { name, private: isPrivate } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
      if (isPrivate === true) return []
      const path = `docs/api/${basename(folder)}.d.ts`
      return [{ path, text: apiReport(name, join(folder, 'dist/index.d.ts')) }]
    })
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
}

// Ignores type errors, which another check reports: the compiler writes the declarations in any case.
function buildDeclarations(): void {
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--build'], { stdio: 'ignore' })
}
