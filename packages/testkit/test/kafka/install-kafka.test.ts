import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installKafka } from '../../src/kafka/install-kafka.ts'

const path = process.env['PATH']
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-install-'))
  await mkdir(join(folder, 'bin'))
  process.env['PATH'] = `${join(folder, 'bin')}:${path}`
})

afterEach(async () => {
  process.env['PATH'] = path
  await rm(folder, { recursive: true })
})

// the programs that stand in for Java and Maven are scripts of a POSIX shell
describe.skipIf(process.platform === 'win32')('installKafka', () => {
  it('fetches once, when several processes want it at the same time as well', async () => {
    await program(
      'mvn',
      'for word; do case "$word" in -DoutputDirectory=*) mkdir -p "${word#*=}"; echo jar > "${word#*=}/kafka.jar";; esac; done'
    )
    await program(
      'java',
      'for word; do last=$word; done; mkdir -p "$(dirname "$last")/data"; echo features > "$(dirname "$last")/data/bootstrap.checkpoint"'
    )
    const said: string[] = []

    const installed = await Promise.all([install(said), install(said), install(said)])

    for (const each of installed)
      expect(each).toMatchObject({ version: '4.3.0', jars: [expect.stringMatching(/kafka\.jar$/)] })
    expect(await readdir(join(folder, 'keystamp'))).toEqual(['kafka-4.3.0'])
    expect(await install([])).toEqual(installed[0])
  })

  it('reports what Maven said, and leaves nothing half fetched behind', async () => {
    await program('mvn', 'echo "[ERROR] the repository cannot be reached"; echo "[ERROR] more"; exit 1')

    expect(await install([])).toEqual({ missing: 'Maven could not fetch Kafka: the repository cannot be reached' })
    expect(await readdir(join(folder, 'keystamp'))).toEqual([])
  })

  it('reports that it takes time only when it does', async () => {
    await program('mvn', 'exit 1')
    await mkdir(join(folder, 'keystamp', 'kafka-4.3.0', 'jars'), { recursive: true })
    const said: string[] = []

    await install(said)

    expect(said).toEqual([])
  })
})

function install(said: string[]) {
  return installKafka({ version: '17.0.1' }, { XDG_CACHE_HOME: folder }, (line) => said.push(line))
}

async function program(name: string, script: string): Promise<void> {
  const file = join(folder, 'bin', name)
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
}
