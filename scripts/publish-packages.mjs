// Publishes the public packages with provenance, each one after the packages of this repository that it depends on.
// Skips versions that the registry has already, so that a run that failed halfway can be repeated.
//   node scripts/publish-packages.mjs --tag v1.2.3     the tag must name the version of every package
//   node scripts/publish-packages.mjs --tag v1.2.3 --dry-run
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { publicPackages } from './public-packages.mjs'

const { tag, 'dry-run': isDryRun } = parseArgs({
  options: { tag: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } }
}).values
const packages = publicPackages()
const mistakes = packages.filter(({ version }) => tag !== `v${version}`)
if (mistakes.length > 0)
  fail(
    `The tag ${tag} is not the version of ${mistakes.map(({ name, version }) => `${name} (${version})`).join(', ')}.`
  )

for (const { folder, name, version } of inOrder(packages)) {
  if (!isDryRun && isPublished(name, version)) {
    console.log(`${name} ${version} is published already.`)
    continue
  }
  // a prerelease must not become the version that `npm install` installs
  const channel = version.includes('-') ? 'next' : 'latest'
  // only a workflow can sign a statement of provenance
  const mode = isDryRun ? '--dry-run' : '--provenance'
  const { status } = spawnSync(
    'npm',
    ['publish', `./${folder}`, mode, '--access', 'public', '--tag', channel, '--ignore-scripts'],
    {
      stdio: 'inherit'
    }
  )
  if (status !== 0) {
    fail(
      `${name} ${version} could not be published; the reason is above. The packages before it are published; run the same command again.`
    )
  }
}

function inOrder(list) {
  const names = new Set(list.map(({ name }) => name))
  const ordered = []
  const done = new Set()
  while (ordered.length < list.length) {
    const next = list.find(
      ({ name, dependencies = {} }) =>
        !done.has(name) && Object.keys(dependencies).every((each) => !names.has(each) || done.has(each))
    )
    if (next === undefined) fail('The packages depend on each other in a circle.')
    done.add(next.name)
    ordered.push(next)
  }
  return ordered
}

function isPublished(name, version) {
  const { status, stdout, stderr } = spawnSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' })
  if (status === 0) return stdout.trim() === version
  if (stderr.includes('E404')) return false
  fail(`npm view failed for ${name} ${version}: ${stderr.trim()}`)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
