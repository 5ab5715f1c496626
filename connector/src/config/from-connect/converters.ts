import type { ConnectConfig } from './connect-config.ts'
import { toReference, toSecretReference, type Translating } from './draft.ts'

/** Translates the converters: how the worker read keys and values. */
export function translateConverters(config: ConnectConfig, translating: Translating): void {
  const { draft, needless, change } = translating
  const key = translateConverter('key', config, translating)
  const value = translateConverter('value', config, translating)
  if (key !== undefined) draft.key = key
  if (value !== undefined) draft.value = value
  if (draft.registry !== undefined || draft.value === 'json-envelope') {
    // Microsoft's connectors write these as a Java long and double
    draft.numbers = { int64: 'number', decimal: 'number' }
    change('value.converter', 'dates and times of the schema were stored as numbers and are text now, such as 2018-08-09T07:15:00.000Z')
  }
  if (config.take('header.converter') !== undefined) needless('header.converter', 'headers are read as they are')
  for (const name of config.takeAll('header.converter.').keys()) needless(`header.converter.${name}`, 'headers are read as they are')
}

function translateConverter(side: 'key' | 'value', config: ConnectConfig, translating: Translating): string | undefined {
  const { refuse, change, needless } = translating
  const prefix = `${side}.converter`
  const written = config.take(prefix)
  const options = config.takeAll(`${prefix}.`)
  const known = new Set<string>()
  const format = formatOf()
  for (const name of options.keys()) if (!known.has(name)) needless(`${prefix}.${name}`, 'has no effect on what is stored')
  return format

  function option(name: string): string | undefined {
    known.add(name)
    return options.get(name)
  }

  function formatOf(): string | undefined {
    const type = written?.split('.').at(-1)
    switch (type) {
      case undefined:
        change(
          prefix,
          `stands in the file of the worker, if at all: look there, and write \`${side}: json\`, json-envelope, registry, text or bytes`
        )
        return side === 'key' ? 'text' : 'json'
      case 'JsonConverter':
        return option('schemas.enable') === 'false' ? 'json' : 'json-envelope'
      case 'StringConverter':
        if (side === 'value')
          change(
            prefix,
            'was no document to the connector; now a string that is a JSON object is stored as it is, and any other as { "value": ... }'
          )
        return 'text'
      case 'ByteArrayConverter':
        if (side === 'value') change(prefix, 'was no document to the connector; now bytes are stored as { "value": ... } in base64')
        return 'bytes'
      case 'AvroConverter':
      case 'JsonSchemaConverter':
        translateRegistry(prefix, option, translating)
        return 'registry'
      default:
        refuse(
          prefix,
          `is ${type}, which has no equal: readable are JSON, JSON with a schema, Avro and JSON Schema of a registry, text and bytes`
        )
        return undefined
    }
  }
}

function translateRegistry(prefix: string, option: (name: string) => string | undefined, translating: Translating): void {
  const { draft, refuse, change } = translating
  const [url = '', ...others] = (option('schema.registry.url') ?? '').split(',')
  if (url === '') refuse(`${prefix}.schema.registry.url`, 'is missing: write it under registry.url')
  if (others.length > 0)
    change(`${prefix}.schema.registry.url`, 'names several registries: the first one is used; give all of them one address')
  if (draft.registry !== undefined && draft.registry['url'] !== url) {
    return refuse(`${prefix}.schema.registry.url`, 'is another registry for keys than for values: there can be one')
  }
  const registry: Record<string, string> = { url: toReference(`${prefix}.schema.registry.url`, url, 'REGISTRY_URL', translating) }
  const source = option('basic.auth.credentials.source')
  const user = option('basic.auth.user.info') ?? option('schema.registry.basic.auth.user.info')
  const token = option('bearer.auth.token')
  option('bearer.auth.credentials.source')
  if (user !== undefined) {
    const [name, password] = splitUser(user)
    registry['username'] = toReference(`${prefix}.basic.auth.user.info`, name, 'REGISTRY_USER', translating)
    registry['password'] = toSecretReference(`${prefix}.basic.auth.user.info`, password, 'REGISTRY_PASSWORD', translating)
  } else if (source !== undefined) {
    change(`${prefix}.basic.auth.credentials.source`, `is ${source}: write registry.username and registry.password`)
  }
  if (token !== undefined) registry['token'] = toSecretReference(`${prefix}.bearer.auth.token`, token, 'REGISTRY_TOKEN', translating)
  draft.registry = registry
}

// a reference contains colons itself; one that is the whole string cannot be split
function splitUser(text: string): readonly [string, string] {
  const found = /^((?:\$\{[^}]*\}|[^:$])*):(.*)$/s.exec(text)
  return found === null ? ['${env:REGISTRY_USER}', ''] : [found[1], found[2]]
}
