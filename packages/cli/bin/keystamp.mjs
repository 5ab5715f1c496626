#!/usr/bin/env node
// This file has only syntax that Node 14 can parse, and imports nothing before it has checked the version. Otherwise an
// old Node would report a syntax error instead of the message below.
const [major, minor] = process.versions.node.split('.').map(Number)

if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) {
  void import('keystamp').then(({ main }) => main(process))
} else {
  process.stderr.write(
    `keystamp: Node ${process.versions.node} is too old: keystamp needs 20.19 or later, and of version 22 at least 22.12.\n`
  )
  process.exitCode = 2
}
