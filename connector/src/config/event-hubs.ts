import { type ConfigPath, setAt, valueAt } from './config-path.ts'

/** Defaults that differ for Azure Event Hubs; keys of the file win. Event Hubs closes idle connections after 240 s. */
export const EVENT_HUBS_DEFAULTS: Readonly<Record<string, string | boolean>> = {
  tls: true,
  requestTimeout: '60s',
  metadataMaxAge: '180s',
  connectionTimeout: '30s'
}

const NAMESPACE = /^([\w-]+\.servicebus\.(?:windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)):9093$/i

/** Host of the Event Hubs namespace; undefined if the brokers do not belong to Event Hubs. */
export function eventHubsHost(brokers: unknown): string | undefined {
  return Array.isArray(brokers) ? NAMESPACE.exec(String(brokers[0]))?.[1] : undefined
}

/** Adds the defaults for Event Hubs to the `kafka` section of a sink that reads from Event Hubs. */
export function applyEventHubs(value: unknown, sink: ConfigPath): void {
  const kafka = [...sink, 'kafka']
  const host = eventHubsHost(valueAt(value, [...kafka, 'brokers']))
  if (host === undefined) return
  const put = (key: ConfigPath, given: unknown): void => {
    if (valueAt(value, [...kafka, ...key]) === undefined) setAt(value, [...kafka, ...key], given)
  }
  for (const [key, given] of Object.entries(EVENT_HUBS_DEFAULTS)) put([key], given)
  const mechanism = valueAt(value, [...kafka, 'sasl', 'mechanism'])
  if (mechanism === 'plain') put(['sasl', 'username'], '$ConnectionString')
  if (mechanism === 'oauthbearer') put(['sasl', 'scope'], `https://${host}/.default`)
}
