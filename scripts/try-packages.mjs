// Packs every package, installs the packs into an empty folder and imports each by its name, as its first user will.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'keystamp-packages-'))
try {
  const sources = [...readdirSync('packages').map((name) => join('packages', name)), 'connector']
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, ...sources.map((source) => `./${source}`)], { stdio: 'inherit' })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const packs = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...packs.map((pack) => `./${pack}`)], {
    cwd: folder,
    stdio: 'inherit'
  })
  for (const { name } of sources.map((source) => JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')))) {
    const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', `await import('${name}')`], {
      cwd: folder,
      stdio: 'inherit'
    })
    console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
    if (status !== 0) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
