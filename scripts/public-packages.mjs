import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The published packages of the repository: the folder and the content of package.json of each. */
export function publicPackages() {
  return [...readdirSync('packages').map((name) => join('packages', name)), 'connector']
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter((manifest) => manifest.private !== true)
}
