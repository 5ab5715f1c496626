import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const REPOSITORY = 'https://github.com/keystamp/keystamp'
const MANIFESTS = [...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`), 'connector']
  .filter((folder) => existsSync(join(ROOT, folder, 'package.json')))
  .map((folder) => ({ folder, manifest: manifestOf(folder) }))
const PUBLIC = MANIFESTS.filter(({ manifest }) => manifest.private !== true)
const PRIVATE_NAMES = MANIFESTS.filter(({ manifest }) => manifest.private === true).map(({ manifest }) => manifest.name)

describe.each(PUBLIC)('the npm package of $folder', ({ folder, manifest }) => {
  const readme = readFileSync(join(ROOT, folder, 'README.md'), 'utf8')

  it('contains the built files, and no sources, tests or build information', () => {
    const output = execFileSync('npm', ['pack', '--dry-run', '--json'], {
      cwd: join(ROOT, folder),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    })
    const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }]
    const paths = files.map(({ path }) => path)

    expect(paths).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts'])
    )
    expect(paths.filter((path) => /^(?:src|test)\/|\.map$|\.tsbuildinfo$|tsconfig/.test(path))).toEqual([])
  })

  it('contains code without a reference to a source map', () => {
    const code = readFileSync(join(ROOT, folder, 'dist/index.js'), 'utf8')

    expect(code).not.toContain('sourceMappingURL')
  })

  it('depends on no private package', () => {
    const { dependencies, peerDependencies, optionalDependencies } = manifest
    const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })

    expect(names.filter((name) => PRIVATE_NAMES.includes(name))).toEqual([])
  })

  it('names its repository and may be published', () => {
    expect(manifest).toMatchObject({
      repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: folder },
      homepage: `${REPOSITORY}/tree/main/${folder}#readme`,
      bugs: { url: `${REPOSITORY}/issues` },
      publishConfig: { access: 'public' }
    })
    expect(manifest.keywords.length).toBeGreaterThan(2)
  })

  it('has a README whose links work on the page of the npm registry', () => {
    const links = [...readme.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link)

    expect(links.filter((link) => !link.startsWith('https://'))).toEqual([])
    expect(readme).toMatch(new RegExp(`npm install .*${manifest.name}\\b`))
    for (const link of links.filter((each) => each.startsWith(`${REPOSITORY}/blob/main/`))) {
      const [file] = link.slice(`${REPOSITORY}/blob/main/`.length).split('#')
      expect(existsSync(join(ROOT, file))).toBe(true)
    }
  })
})

it('the check for private dependencies recognizes a private package', () => {
  expect(PRIVATE_NAMES).toContain('@keystamp/testkit')
})

it('the README shows how to install each public package', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

  for (const { manifest } of PUBLIC) {
    const { name } = manifest
    expect(readme).toMatch(new RegExp(`npm install (?:--save-dev |--global )?${name} `))
  }
})

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly keywords: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest
}
