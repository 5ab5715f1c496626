import { isIP } from 'node:net'

/** A self-signed certificate, as PEM. */
export interface Certificate {
  readonly pem: string
  readonly privateKey: string
}

/**
 * Creates a certificate for the loopback and the given names. It is its own authority, so a trust store needs only this
 * certificate.
 */
export async function createCertificate(names: readonly string[], now: Date): Promise<Certificate> {
  // loaded only for https: loading it takes longer than loading all other modules
  const { default: selfsigned } = await import('selfsigned')
  const notAfterDate = new Date(now.getTime() + VALID_DAYS * 86_400_000)
  const pems = await selfsigned.generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // the clock of a client may be late
    notBeforeDate: new Date(now.getTime() - 86_400_000),
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: hostsOf(names).map((host) => (isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host }))
      }
    ]
  })
  return { pem: pems.cert, privateKey: pems.private }
}

const VALID_DAYS = 365

/** The hosts of a certificate: the loopback and the given names. */
export function hostsOf(names: readonly string[]): readonly string[] {
  return [...new Set(['localhost', '127.0.0.1', '::1', ...names])]
}
