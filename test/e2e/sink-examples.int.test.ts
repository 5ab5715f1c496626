import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { examplesOf } from '../meta/docs/examples-of.ts'
import { sharedKafka } from './shared-kafka.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { brokers, isMissing, why } = await sharedKafka()

describe.skipIf(isMissing)(`the examples that need a Kafka${why}`, () => {
  it.each(['sink-service', 'data-platform'])('have a README that shows the output of %s', async (name) => {
    const page = readFileSync(`${ROOT}/examples/${name}/README.md`, 'utf8')
    const [command, promised] = examplesOf('README.md', page).map(({ text }) => text)

    expect(await outputOf(command.trim().replace(/^node /, ''))).toBe(promised)
  })
})

/**
 * Runs a script in the root of the repository with the built packages, as a reader of the page does. With the sources
 * it would fail: worker threads have no loader for TypeScript.
 */
async function outputOf(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    cwd: ROOT,
    env: { ...process.env, KEYSTAMP_KAFKA: brokers },
    timeout: 50_000
  })
  return stdout
}
