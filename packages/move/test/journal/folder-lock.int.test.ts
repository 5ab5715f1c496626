import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockFolder } from '../../src/journal/folder-lock.ts'

test.skipIf(process.platform === 'win32')(
  'a folder with a lock of a process that was killed is taken over',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keystamp-lock-'))
    const name = 'lock-1-00000000'
    const script = `require('node:net').createServer().listen(${JSON.stringify(join(folder, name))}, () => console.log('ready'))`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await expect(lockFolder(folder)).rejects.toThrow('the process 1')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await readdir(folder)).toEqual([name])
    const unlock = await lockFolder(folder)
    unlock()
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
  }
)
