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
import { dirname, join, relative, sep } from 'node:path'

export interface PlantedCopy {
  readonly folder: string
  /** Creates a file, or appends to an existing one. */
  readonly plant: (path: string, text: string) => void
  readonly remove: () => void
}

const LEFT_OUT = /^(?:node_modules|dist|coverage|\.git|.*\.tsbuildinfo)$/

/**
 * Copies the project, so that tests can plant mistakes in the copy. The copy has its own sources, and links to the
 * dependencies.
 */
export function plantedCopy(root: string): PlantedCopy {
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-copy-'))
  cpSync(root, folder, {
    recursive: true,
    filter: (path) =>
      !relative(root, path)
        .split(sep)
        .some((name) => LEFT_OUT.test(name))
  })
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
  const folders = ['connector', ...readdirSync(join(folder, 'packages')).map((name) => join('packages', name))]
  // a renamed package may have left a folder that contains only files ignored by git
  for (const path of folders.filter((name) => existsSync(join(folder, name, 'package.json')))) {
    const { name } = JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8')) as { name: string }
    symlinkSync(join(folder, path), join(modules, name))
  }
}
