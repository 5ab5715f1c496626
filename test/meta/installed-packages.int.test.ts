import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { sharedKafka } from '../e2e/shared-kafka.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { brokers, isMissing } = await sharedKafka()

// Packs the built packages and installs them as a user does. Their dependencies come from the npm registry.
it(
  'the packages work in an empty folder: imports, the command, the demo and the examples of the READMEs',
  { timeout: 300_000 },
  async () => {
    const env = { ...process.env, ...(isMissing ? {} : { KEYSTAMP_KAFKA: brokers }) }
    const child = spawn(process.execPath, ['scripts/try-packages.mjs'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const [output] = await Promise.all([text(child.stdout), text(child.stderr)])
    const lines = output.trim().split('\n')

    expect(lines.filter((line) => !line.startsWith('ok ') && !(isMissing && line.startsWith('left out')))).toEqual([])
    expect(lines).toEqual(
      expect.arrayContaining([
        'ok       keystamp --help',
        'ok       keystamp demo',
        'ok       README of packages/stream: js'
      ])
    )
  }
)
