// Packs every public package, and checks that TypeScript finds the declarations of the installed package, from ES
// modules and for bundlers. Uses attw as a library: its command checks one package at a time, and starting it takes
// longer than the check.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { filterProblems, problemKindInfo } from '@arethetypeswrong/core/problems'
import { publicPackages } from './public-packages.mjs'

// the same resolutions as attw's profile esm-only
const RESOLUTIONS = ['node16-esm', 'bundler']

const packs = mkdtempSync(join(tmpdir(), 'keystamp-packs-'))
try {
  const folders = publicPackages().map(({ folder }) => folder)
  execFileSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', packs, ...folders.map((folder) => `./${folder}`)],
    {
      stdio: ['ignore', 'ignore', 'inherit']
    }
  )
  const files = readdirSync(packs).toSorted()
  const mistakes = (await Promise.all(files.map((file) => mistakesOf(join(packs, file))))).flat()
  for (const mistake of mistakes) console.error(mistake)
  if (files.length !== folders.length)
    console.error(`${folders.length} packages were packed into ${files.length} files.`)
  process.exitCode = mistakes.length === 0 && files.length === folders.length ? 0 : 1
} finally {
  rmSync(packs, { recursive: true, force: true })
}

async function mistakesOf(file) {
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(file)))
  if (analysis.types === false) return [`${analysis.packageName}: has no declarations`]
  return RESOLUTIONS.flatMap((resolutionKind) =>
    filterProblems(analysis, { resolutionKind }).map(({ kind }) => {
      const { title, docsUrl } = problemKindInfo[kind]
      return `${analysis.packageName}: ${title} (${resolutionKind}, ${docsUrl})`
    })
  )
}
