import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../../src/config/read-config.ts'

const CONFIG = `
kafka:
  brokers: ["a:1"]
  topics: [t]
  tls: { ca: "\${file:ca.pem}" }
  sasl: { mechanism: plain, username: u, password: "\${file:password}" }
cosmos: { endpoint: "https://a/", database: d, container: c, key: "\${file:key}" }
name: drives
`

it('puts rotated secrets and certificates into the settings that are in use', async () => {
  const files = new Map([
    ['key', 'b2xk'],
    ['password', 'old'],
    ['ca.pem', '-----BEGIN OLD']
  ])
  const readFile = async (path: string): Promise<string> => files.get(basename(path))!
  const {
    sinks: [sink]
  } = await readConfig({ text: CONFIG, name: 'sink.yaml' }, { env: {}, readFile })
  const password = sink.kafka.sasl?.mechanism === 'plain' ? sink.kafka.sasl.password : undefined

  files.set('key', 'bmV3').set('password', 'new\n').set('ca.pem', '-----BEGIN NEW')
  await sink.rereadCredentials!()

  expect(sink.cosmos.key?.reveal()).toBe('bmV3')
  expect(password?.reveal()).toBe('new')
  expect(sink.kafka.tls).toMatchObject({ ca: '-----BEGIN NEW' })
})

it('keeps the former secrets where a file cannot be read any more, and says so', async () => {
  let isGone = false
  const readFile = async (): Promise<string> => {
    if (isGone) throw new Error('there is no such file')
    return 'b2xk'
  }
  const text = CONFIG.replace('  tls: { ca: "${file:ca.pem}" }\n', '')
  const {
    sinks: [sink]
  } = await readConfig({ text, name: 'sink.yaml' }, { env: {}, readFile })
  isGone = true

  await expect(sink.rereadCredentials!()).rejects.toThrow('there is no such file')
  expect(sink.cosmos.key?.reveal()).toBe('b2xk')
})
