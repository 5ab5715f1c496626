// Ends with 0 when node_modules holds exactly what package-lock.json asks for, with 1 when npm ci is due.
import { existsSync, readFileSync } from 'node:fs'

const installed = packagesOf('node_modules/.package-lock.json')
const wanted = packagesOf('package-lock.json')
const isStale = Object.entries(wanted).some(([path, { version, optional, peer, link }]) => {
  // a link is one of our own packages
  if (link) return installed[path] === undefined
  // optional packages are those of other platforms
  if (path === '' || !path.includes('node_modules/')) return false
  return installed[path]?.version !== version && !(optional || peer)
})
process.exitCode = isStale || Object.keys(installed).length === 0 ? 1 : 0

function packagesOf(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}
