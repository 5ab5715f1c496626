#!/usr/bin/env node
// Syntax that Node 14 can parse, and nothing imported before the version is known: a newer syntax anywhere would be the
// first error.
const [major, minor] = process.versions.node.split('.').map(Number)

if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) {
  void import('keystamp').then(({ main }) => main(process))
} else {
  process.stderr.write(
    `keystamp: Node ${process.versions.node} is too old: keystamp needs 20.19 or later, and of version 22 at least 22.12.\n`
  )
  process.exitCode = 2
}
