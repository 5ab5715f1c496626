import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { type BrokerLocation, controllerListener } from './broker-settings.ts'
import { runProgram } from './run-program.ts'

/** Second listener of a broker: TLS with authentication. */
export interface SecureListener {
  /** `localhost:port`, the name in its certificate. */
  readonly address: string
  /** Certificate that clients have to trust, as PEM. */
  readonly ca: string
  readonly properties: Readonly<Record<string, string>>
}

const STORE_PASSWORD = 'keystamp-testkit'

/**
 * Creates a certificate and the settings of the listener. Users authenticate by PLAIN, by SCRAM, or by an unsigned
 * token.
 */
export async function createSecureListener(
  location: BrokerLocation,
  users: Readonly<Record<string, string>>
): Promise<SecureListener> {
  const port = await freePort()
  const store = join(location.folder, 'broker.p12')
  const certificate = join(location.folder, 'broker.pem')
  const common = ['-keystore', store, '-storetype', 'PKCS12', '-storepass', STORE_PASSWORD, '-alias', 'broker']
  const names = ['-dname', 'CN=localhost', '-ext', 'san=dns:localhost,ip:127.0.0.1', '-ext', 'bc:c=ca:true']
  await keytool(['-genkeypair', '-keyalg', 'EC', '-validity', '2', ...names, ...common])
  await keytool(['-exportcert', '-rfc', '-file', certificate, ...common])
  const properties = listenerProperties(location, port, store, users)
  return { address: `localhost:${port}`, ca: await readFile(certificate, 'utf8'), properties }
}

/** Arguments for Kafka's `StorageTool format`, which stores these users for SCRAM. */
export function scramOptions(users: Readonly<Record<string, string>>): string[] {
  return Object.entries(users).flatMap(([name, password]) =>
    ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=${name},password=${password}]`
    ])
  )
}

async function keytool(options: readonly string[]): Promise<void> {
  const { code, output } = await runProgram('keytool', options)
  if (code !== 0) throw new Error(`keytool could not make a certificate: ${output}`)
}

function listenerProperties(
  { port, cluster }: BrokerLocation,
  securePort: number,
  store: string,
  users: Readonly<Record<string, string>>
): Record<string, string> {
  const login = 'org.apache.kafka.common.security'
  const passwords = Object.entries(users).map(([name, password]) => `user_${name}="${password}"`)
  return {
    listeners: `PLAINTEXT://127.0.0.1:${port},SECURE://127.0.0.1:${securePort}${controllerListener(cluster)}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port},SECURE://localhost:${securePort}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:PLAINTEXT',
    [secure('ssl.keystore.location')]: store,
    [secure('ssl.keystore.type')]: 'PKCS12',
    [secure('ssl.keystore.password')]: STORE_PASSWORD,
    [secure('sasl.enabled.mechanisms')]: 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    [secure('plain.sasl.jaas.config')]: `${login}.plain.PlainLoginModule required ${passwords.join(' ')};`,
    [secure('scram-sha-256.sasl.jaas.config')]: `${login}.scram.ScramLoginModule required;`,
    [secure('scram-sha-512.sasl.jaas.config')]: `${login}.scram.ScramLoginModule required;`,
    [secure('oauthbearer.sasl.jaas.config')]:
      `${login}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";`
  }
}

function secure(name: string): string {
  return `listener.name.secure.${name}`
}
