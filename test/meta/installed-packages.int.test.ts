import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { sharedKafka } from '../e2e/shared-kafka.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { brokers, isMissing } = await sharedKafka()

// Packs what is built and installs it as a user does, with the registry's packages.
it(
  'the packages work in an empty folder: imports, the command, the demo and what the READMEs show',
  { timeout: 300_000 },
  async () => {
    const env = { ...process.env, ...(isMissing ? {} : { KEYSTAMP_KAFKA: brokers }) }
    const child = spawn(process.execPath, ['scripts/try-packages.mjs'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const [said] = await Promise.all([text(child.stdout), text(child.stderr)])
    const lines = said.trim().split('\n')

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
