import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { findCertificate } from '../../src/wire/certificate-cache.ts'

const DAY_MS = 86_400_000
const NOW = new Date('2026-03-04T05:06:07Z')
const root = mkdtempSync(join(tmpdir(), 'keystamp-certificates-'))
let folder: string
let count = 0
beforeEach(() => {
  folder = join(root, `${count++}`, 'keystamp')
})
afterAll(() => rmSync(root, { recursive: true }))

function after(days: number): Date {
  return new Date(NOW.getTime() + days * DAY_MS)
}

function fileOf(): string {
  const [name, ...others] = readdirSync(folder)
  expect(others).toEqual([])
  return join(folder, name)
}

describe('the certificate in a folder', () => {
  it('is used again, and only the user can read its file', async () => {
    const first = await findCertificate(folder, [], NOW)
    const second = await findCertificate(folder, [], after(300))

    expect(second.pem).toBe(first.pem)
    expect(new X509Certificate(second.pem).checkHost('localhost')).toBe('localhost')
    expect(statSync(fileOf()).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('is one for all processes that start at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => findCertificate(folder, [], NOW)))

    expect(new Set(all.map(({ pem }) => pem)).size).toBe(1)
    expect(readFileSync(fileOf(), 'utf8')).toContain(all[0].pem)
  })

  it('depends on the names, but not on their order', async () => {
    const one = await findCertificate(folder, ['a', '10.0.0.5'], NOW)
    const same = await findCertificate(folder, ['10.0.0.5', 'a'], NOW)
    const other = await findCertificate(folder, ['b'], NOW)

    expect(same.pem).toBe(one.pem)
    expect(other.pem).not.toBe(one.pem)
    expect(new X509Certificate(other.pem).checkHost('b')).toBe('b')
  })

  it('is renewed 30 days before it expires, and removed after it has expired', async () => {
    const first = await findCertificate(folder, [], NOW)
    const second = await findCertificate(folder, [], after(340))

    expect(second.pem).not.toBe(first.pem)
    expect(readdirSync(folder)).toHaveLength(2)
    await findCertificate(folder, [], after(680))
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it('is replaced when the clock is before its first day', async () => {
    const first = await findCertificate(folder, [], NOW)

    expect((await findCertificate(folder, [], after(-10))).pem).not.toBe(first.pem)
  })

  it.each<[string, (file: string) => void]>([
    ['is damaged', (file) => writeFileSync(file, 'not a certificate')],
    ['is empty', (file) => writeFileSync(file, '')],
    ['can be read by others', (file) => chmodSync(file, 0o644)],
    [
      'has another private key',
      (file) => {
        const [own, other] = [file, join(root, 'other.pem')].map((path) => readFileSync(path, 'utf8'))
        writeFileSync(
          file,
          other.slice(0, other.indexOf('-----BEGIN CERT')) + own.slice(own.indexOf('-----BEGIN CERT'))
        )
      }
    ]
  ])('is replaced when its file %s', async (_, damage) => {
    const { privateKey, pem } = await findCertificate(undefined, [], NOW)
    writeFileSync(join(root, 'other.pem'), privateKey + pem)
    const first = await findCertificate(folder, [], NOW)
    damage(fileOf())
    const second = await findCertificate(folder, [], NOW)

    expect(second.pem).not.toBe(first.pem)
    expect(statSync(fileOf()).mode & 0o777).toBe(0o600)
    expect((await findCertificate(folder, [], NOW)).pem).toBe(second.pem)
  })

  it('is a new one each time if the folder cannot be made', async () => {
    writeFileSync(join(root, 'file'), '')
    const first = await findCertificate(join(root, 'file', 'x'), [], NOW)

    expect((await findCertificate(join(root, 'file', 'x'), [], NOW)).pem).not.toBe(first.pem)
  })
})
