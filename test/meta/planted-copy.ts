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
  /** Writes a file, or appends to one that is there. */
  readonly plant: (path: string, text: string) => void
  readonly remove: () => void
}

const LEFT_OUT = /^(?:node_modules|dist|coverage|\.git|.*\.tsbuildinfo)$/

/** A copy of the project in which mistakes can be planted: its own sources, the dependencies by links. */
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

// our own packages have to be those of the copy
function linkDependencies(root: string, folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@keystamp'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.includes('keystamp')) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  const places = ['connector', ...readdirSync(join(folder, 'packages')).map((name) => join('packages', name))]
  // a package that was renamed may have left what git ignores
  for (const place of places.filter((name) => existsSync(join(folder, name, 'package.json')))) {
    const { name } = JSON.parse(readFileSync(join(folder, place, 'package.json'), 'utf8')) as { name: string }
    symlinkSync(join(folder, place), join(modules, name))
  }
}
