import { isIP } from 'node:net'

/** A self-signed certificate, as PEM. */
export interface Certificate {
  readonly pem: string
  readonly privateKey: string
}

/**
 * Creates a certificate for the loopback and the given names; it is its own authority, so that a trust store accepts
 * it directly.
 */
export async function createCertificate(names: readonly string[], now: Date): Promise<Certificate> {
  // loaded only for https: loading it takes longer than loading all other modules
  const { default: selfsigned } = await import('selfsigned')
  const notAfterDate = new Date(now.getTime() + VALID_DAYS * 86_400_000)
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', ...names])]
  const pems = await selfsigned.generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // a client's clock may be behind
    notBeforeDate: new Date(now.getTime() - 86_400_000),
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: hosts.map((host) => (isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host })) }
    ]
  })
  return { pem: pems.cert, privateKey: pems.private }
}

const VALID_DAYS = 365
