import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The packages of the repository that are published: their folders and what their package.json says. */
export function publicPackages() {
  return [...readdirSync('packages').map((name) => join('packages', name)), 'connector']
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter((manifest) => manifest.private !== true)
}
