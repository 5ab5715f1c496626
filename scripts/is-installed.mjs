// Ends with exit code 0 if node_modules matches package-lock.json, and with 1 if npm ci has to run.
import { existsSync, readFileSync } from 'node:fs'

const installed = packagesOf('node_modules/.package-lock.json')
const wanted = packagesOf('package-lock.json')
const isStale = Object.entries(wanted).some(([path, { version, optional, peer, link }]) => {
  // links are the packages of this repository
  if (link) return installed[path] === undefined
  // optional packages that are not installed are for other platforms
  if (path === '' || !path.includes('node_modules/')) return false
  return installed[path]?.version !== version && !(optional || peer)
})
process.exitCode = isStale || Object.keys(installed).length === 0 ? 1 : 0

function packagesOf(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}
