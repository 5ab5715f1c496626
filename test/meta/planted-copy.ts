import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface PlantedCopy {
  readonly folder: string
  /** Creates a file, or appends to an existing one. */
  readonly plant: (path: string, text: string) => void
  readonly remove: () => void
}

/**
 * Copies the given files and folders of the project, so that tests can plant mistakes in the copy. The copy has links to
 * the dependencies.
 */
export function plantedCopy(root: string, paths: readonly string[]): PlantedCopy {
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-copy-'))
  for (const path of paths) cpSync(join(root, path), join(folder, path), { recursive: true })
  linkDependencies(root, folder)
  return {
    folder,
    plant: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text, { flag: 'a' })
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}

// links to the packages of this project must lead to the copy
function linkDependencies(root: string, folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@keystamp'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.includes('keystamp')) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const path of packagesOf(root)) {
    const { name } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as { name: string }
    symlinkSync(join(folder, path), join(modules, name))
  }
}

/** The folders of the packages, relative to the root of the project. */
export function packagesOf(root: string): string[] {
  const folders = ['connector', ...readdirSync(join(root, 'packages')).map((name) => join('packages', name))]
  // a renamed package may have left a folder that contains only files ignored by git
  return folders.filter((path) => existsSync(join(root, path, 'package.json')))
}
