import { createHash, createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { link, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Certificate, createCertificate, hostsOf } from './certificate.ts'

/**
 * The certificate that a folder keeps for these names, or a new one. A file that cannot be used is replaced. If the
 * folder cannot be written, the certificate is new at each start.
 */
export async function findCertificate(
  folder: string | undefined,
  names: readonly string[],
  now: Date
): Promise<Certificate> {
  if (folder === undefined) return createCertificate(names, now)
  const prefix = `${PREFIX}${hashOf(names)}-`
  return (await readLatest(folder, prefix, now)) ?? createFirst(folder, prefix, names, now)
}

/** The folder for caches of this user and program, by the rules of the operating system. */
export function userCacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (XDG_CACHE_HOME !== undefined && XDG_CACHE_HOME !== '') return join(XDG_CACHE_HOME, 'keystamp')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'keystamp')
  if (process.platform === 'win32') return join(LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'keystamp')
  return join(homedir(), '.cache', 'keystamp')
}

const PREFIX = 'emulator-certificate-'
const SUFFIX = '.pem'
// a certificate must not expire while the emulator runs
const RENEWED_BEFORE_MS = 30 * 86_400_000
const OTHERS_MAY = 0o077

function hashOf(names: readonly string[]): string {
  const hosts = hostsOf(names).toSorted((one, other) => (one < other ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(hosts)).digest('hex').slice(0, 12)
}

async function readLatest(folder: string, prefix: string, now: Date): Promise<Certificate | undefined> {
  const files = await readdir(folder).catch(() => [])
  const own = files.filter((name) => name.startsWith(prefix) && name.endsWith(SUFFIX))
  const latest = own.toSorted((one, other) => (one < other ? 1 : -1))
  for (const name of latest) {
    const certificate = await readFileOf(join(folder, name), now)
    if (certificate !== undefined) return certificate
  }
  return undefined
}

/** The certificate in a file; undefined unless it is valid, and only this user can read the file. */
async function readFileOf(file: string, now: Date): Promise<Certificate | undefined> {
  try {
    const { uid, mode } = await lstat(file)
    const isPrivate = process.getuid === undefined || (uid === process.getuid() && (mode & OTHERS_MAY) === 0)
    return isPrivate ? parseFile(await readFile(file, 'utf8'), now) : undefined
  } catch {
    return undefined
  }
}

function parseFile(text: string, now: Date): Certificate | undefined {
  const at = text.indexOf('-----BEGIN CERTIFICATE-----')
  const [privateKey, pem] = [text.slice(0, at), text.slice(at)]
  const certificate = new X509Certificate(pem)
  const isValid =
    Date.parse(certificate.validFrom) <= now.getTime() &&
    Date.parse(certificate.validTo) >= now.getTime() + RENEWED_BEFORE_MS &&
    certificate.checkPrivateKey(createPrivateKey(privateKey))
  return isValid ? { pem, privateKey } : undefined
}

/**
 * Creates a certificate and stores it. The name of its file ends in the day on which it expires, so a new certificate
 * never replaces one that another process uses. Of two processes that start at the same time, the second one takes the
 * certificate of the first.
 */
async function createFirst(folder: string, prefix: string, names: readonly string[], now: Date): Promise<Certificate> {
  const certificate = await createCertificate(names, now)
  const day = new Date(new X509Certificate(certificate.pem).validTo).toISOString().slice(0, 10)
  const file = join(folder, `${prefix}${day}${SUFFIX}`)
  const draft = join(folder, `.${randomBytes(8).toString('hex')}${SUFFIX}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(draft, certificate.privateKey.trimEnd() + '\n' + certificate.pem, { mode: 0o600, flag: 'wx' })
    const isFirst = await linkNew(draft, file)
    const other = isFirst ? undefined : await readFileOf(file, now)
    if (other !== undefined) return other
    if (!isFirst) await rename(draft, file)
    await removeExpired(folder, day)
    return certificate
  } catch {
    return certificate
  } finally {
    await rm(draft, { force: true }).catch(() => undefined)
  }
}

async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes the certificates of any names that expired a year before a new one does. */
async function removeExpired(folder: string, expiryOfNew: string): Promise<void> {
  const today = String(Number(expiryOfNew.slice(0, 4)) - 1) + expiryOfNew.slice(4)
  for (const name of await readdir(folder)) {
    const day = name.startsWith(PREFIX) ? name.slice(-SUFFIX.length - 10, -SUFFIX.length) : ''
    if (/^\d{4}-\d{2}-\d{2}$/.test(day) && day < today) await rm(join(folder, name), { force: true })
  }
}
