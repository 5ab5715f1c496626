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

// the programs that replace Java and Maven are scripts of a POSIX shell
describe.skipIf(process.platform === 'win32')('installKafka', () => {
  it('downloads Kafka once, even if several processes need Kafka at the same time', async () => {
    await program(
      'mvn',
      'for word; do case "$word" in -DoutputDirectory=*) mkdir -p "${word#*=}"; echo jar > "${word#*=}/kafka.jar";; esac; done'
    )
    await program(
      'java',
      'for word; do last=$word; done; mkdir -p "$(dirname "$last")/data"; echo features > "$(dirname "$last")/data/bootstrap.checkpoint"'
    )
    const messages: string[] = []

    const installed = await Promise.all([install(messages), install(messages), install(messages)])

    for (const each of installed)
      expect(each).toMatchObject({ version: '4.3.0', jars: [expect.stringMatching(/kafka\.jar$/)] })
    expect(await readdir(join(folder, 'keystamp'))).toEqual(['kafka-4.3.0'])
    expect(await install([])).toEqual(installed[0])
  })

  it('reports the error of Maven, and keeps no incomplete download', async () => {
    await program('mvn', 'echo "[ERROR] the repository cannot be reached"; echo "[ERROR] more"; exit 1')

    expect(await install([])).toEqual({ missing: 'Maven could not fetch Kafka: the repository cannot be reached' })
    expect(await readdir(join(folder, 'keystamp'))).toEqual([])
  })

  it('announces a download only if a download is needed', async () => {
    await program('mvn', 'exit 1')
    await mkdir(join(folder, 'keystamp', 'kafka-4.3.0', 'jars'), { recursive: true })
    const messages: string[] = []

    await install(messages)

    expect(messages).toEqual([])
  })
})

function install(messages: string[]) {
  return installKafka({ version: '17.0.1' }, { XDG_CACHE_HOME: folder }, (line) => messages.push(line))
}

async function program(name: string, script: string): Promise<void> {
  const file = join(folder, 'bin', name)
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
}
