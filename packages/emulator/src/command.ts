import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { EmulatorOptions } from './settings.ts'
import { type Emulator, startEmulator } from './start-emulator.ts'
import { userCacheFolder } from './wire/certificate-cache.ts'

/** Functions of the process that the command uses. */
export interface CommandDependencies {
  readonly print: (line: string) => void
  readonly printError: (line: string) => void
  /** Receives a line for each request, with --verbose. */
  readonly log: (line: string) => void
  /** The command as users type it, for help. */
  readonly commandName: string
  readonly waitForShutdown: () => Promise<unknown>
}

/**
 * Runs the command line of the emulator and resolves with its exit code: 0, 1 after a failure, 2 after a usage error.
 */
export async function runCommand(args: readonly string[], dependencies: CommandDependencies): Promise<0 | 1 | 2> {
  let parsed: Flags
  try {
    const { values, tokens } = parseArgs({ args: [...args], options: FLAGS, strict: true, tokens: true })
    parsed = values
    const wrong = wrongValue(tokens)
    if (wrong !== undefined) throw new Error(wrong)
  } catch (error) {
    dependencies.printError(sentenceOf(error))
    return 2
  }
  if (parsed.help === true) {
    dependencies.print(helpOf(dependencies.commandName))
    return 0
  }
  let emulator: Emulator
  try {
    const options = toOptions(parsed, dependencies)
    if (parsed.certificate !== undefined && options.https !== true)
      throw new Error('--certificate needs --https, which creates the certificate.')
    emulator = await startEmulator(options)
  } catch (error) {
    dependencies.printError(inFlags(reasonOf(error as NodeJS.ErrnoException, parsed.port ?? '8081', parsed.host)))
    return 2
  }
  try {
    if (parsed.certificate !== undefined) await writeFile(parsed.certificate, emulator.certificate ?? '')
  } catch (error) {
    await emulator.stop()
    dependencies.printError(`The certificate cannot be written to ${parsed.certificate}: ${fileReasonOf(error)}.`)
    return 1
  }
  for (const notice of emulator.notices) dependencies.printError(notice)
  announce(emulator, parsed, dependencies.print)
  await dependencies.waitForShutdown()
  await emulator.stop()
  return 0
}

const FLAGS = {
  port: { type: 'string' },
  host: { type: 'string' },
  https: { type: 'boolean' },
  certificate: { type: 'string' },
  key: { type: 'string' },
  ranges: { type: 'string' },
  ru: { type: 'string' },
  container: { type: 'string', multiple: true },
  'storage-scale': { type: 'string' },
  data: { type: 'string' },
  sync: { type: 'boolean' },
  throttle: { type: 'boolean' },
  latency: { type: 'string' },
  'no-auth': { type: 'boolean' },
  'accept-aad': { type: 'boolean' },
  'control-token': { type: 'string' },
  verbose: { type: 'boolean' },
  log: { type: 'boolean' },
  json: { type: 'boolean' },
  options: { type: 'string' },
  help: { type: 'boolean', short: 'h' }
} as const

type Flags = ReturnType<typeof parseArgs<{ options: typeof FLAGS }>>['values']

function helpOf(commandName: string): string {
  return `Usage: ${commandName} [options]

Runs a local Azure Cosmos DB until SIGINT or SIGTERM.

Examples:
  ${commandName} --port 8081 --throttle --ranges 4 --ru 40000
  ${commandName} --container fleet/drives:/partitionKey

Options:
  --port <n>            port to listen on (default: 8081; 0 takes a free one)
  --host <address>      address to listen on (default: 127.0.0.1)
  --https               serve TLS with a certificate that is kept in the user's cache folder for a year
  --certificate <file>  with --https: write the certificate to a file, for trust stores
  --key <base64>        account key (default: the well-known emulator key)
  --container <c>       create a container and its database at the start: fleet/drives:/partitionKey;
                        may be repeated; write a hierarchical key as /tenant,/day
  --data <folder>       keep all data in a folder, across restarts (default: in memory only)
  --sync                with --data: answer after the disk has a write, for power failures (slower)
  --ranges <n>          physical partitions of a new container (default: by its throughput)
  --ru <n>              throughput of a container that is created without one (default: 400)
  --storage-scale <n>   count each byte of a document n times, to reach limits of many GB (default: 1)
  --throttle            refuse operations beyond the budget of a partition with 429
  --latency <ms>        minimum time of each answer
  --no-auth             accept requests without a valid signature
  --accept-aad          accept Entra-like tokens for data requests
  --control-token <t>   token of the control path (required if --host is not a loopback)
  --verbose             print a line for each request on standard error; --log is the same
  --json                print one line of JSON when ready
  --options <json>      options of startEmulator() as JSON; other options override them

Exit codes:
  0  ended by a signal   1  failed   2  a wrong option`
}

function toOptions(flags: Flags, dependencies: CommandDependencies): EmulatorOptions {
  const given: EmulatorOptions = flags.options === undefined ? { port: 8081 } : parseOptions(flags.options)
  return {
    ...given,
    warn: dependencies.printError,
    ...number('port', '--port', flags.port),
    ...(flags.host === undefined ? {} : { host: flags.host }),
    ...(flags.https === true ? { https: true, certificateFolder: given.certificateFolder ?? userCacheFolder() } : {}),
    ...accountKey(flags.key),
    ...number('ranges', '--ranges', flags.ranges),
    ...number('ruPerSecond', '--ru', flags.ru),
    ...(flags.container === undefined ? {} : { containers: flags.container }),
    ...number('storageScale', '--storage-scale', flags['storage-scale']),
    ...(flags.data === undefined ? {} : { data: flags.data }),
    ...(flags.sync === true ? { sync: true } : {}),
    ...(flags.throttle === true ? { throttle: true } : {}),
    ...number('latencyMs', '--latency', flags.latency),
    ...(flags['no-auth'] === true ? { auth: 'off' } : {}),
    ...(flags['accept-aad'] === true ? { acceptAad: true } : {}),
    ...(flags['control-token'] === undefined ? {} : { controlToken: flags['control-token'] }),
    ...(flags.verbose === true || flags.log === true ? { log: dependencies.log } : {})
  }
}

function accountKey(text: string | undefined): { readonly key?: string } {
  if (text === undefined) return {}
  // the key is not repeated: it may be the one of a real account
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/.test(text))
    throw new Error('--key must be an account key, which is base64.')
  return { key: text }
}

function parseOptions(text: string): EmulatorOptions {
  try {
    return JSON.parse(text) as EmulatorOptions
  } catch (error) {
    throw new Error(`--options is not valid JSON: ${messageOf(error)}`, { cause: error })
  }
}

function number(name: string, flag: string, text: string | undefined): Record<string, number> {
  if (text === undefined) return {}
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${flag} takes a whole number, not "${text}".`)
  return { [name]: Number(text) }
}

function reasonOf({ code, message }: NodeJS.ErrnoException, port: string, host = 'in the options'): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Choose another with --port, or --port 0 for a free one.`
  if (code === 'EACCES') return `Port ${port} may not be opened: permission is denied. Choose one from 1024 on.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host ${host} is not known. Choose an address of this machine with --host, such as 127.0.0.1.`
  if (code === 'EADDRNOTAVAIL')
    return `The host ${host} is not an address of this machine. Choose one with --host, such as 127.0.0.1.`
  return message
}

function fileReasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such folder'
  if (code === 'EACCES' || code === 'EPERM') return 'permission is denied'
  return code === 'EISDIR' ? 'it is a folder' : messageOf(error)
}

function announce(emulator: Emulator, flags: Flags, print: (line: string) => void): void {
  const { endpoint, key, connectionString, certificate, controlToken, explorer } = emulator
  if (flags.json === true) {
    print(JSON.stringify({ endpoint, key, certificate, controlToken, explorer }))
    return
  }
  print(`Cosmos DB emulator ready at ${endpoint}`)
  print(connectionString)
  print(`Explorer: ${explorer}`)
  if (controlToken !== undefined) print(`Control token: ${controlToken}`)
}

/** A sentence about a value that is wrong for every option: an empty one, or a second value. */
function wrongValue(
  tokens: readonly { readonly kind: string; readonly name?: string; readonly value?: string | undefined }[]
): string | undefined {
  const seen = new Set<string>()
  for (const { kind, name = '', value } of tokens) {
    if (kind !== 'option' || value === undefined) continue
    if (value === '' && name !== 'container')
      return `--${name} has an empty value, perhaps because a variable is not set. Name a value, or leave --${name} out.`
    if (seen.has(name) && name !== 'container') return `--${name} is given twice. Give it once.`
    seen.add(name)
  }
  return undefined
}

// Node writes some messages without a full stop, and others in several lines
function sentenceOf(error: unknown): string {
  const unknown = /^Unknown option '(--[^']+)'/.exec(messageOf(error))?.[1]
  if (unknown !== undefined) return `Unknown option '${unknown}'.${suggestionFor(unknown.slice(2))} --help lists all.`
  const lacking = /^Option '(?:-\w, )?(--[\w-]+)/.exec(messageOf(error))?.[1]
  if (messageOf(error).includes('argument missing')) return `${lacking} needs a value. --help lists all.`
  if (messageOf(error).includes('argument is ambiguous'))
    return `${lacking} needs a value, but the next word begins with a dash. If that word is the value, write ${lacking}=<value>.`
  const text = messageOf(error).replaceAll('\n', ' ')
  if (text.startsWith('--')) return text
  return `${text.endsWith('.') ? text : `${text}.`} Try --help.`
}

function suggestionFor(name: string): string {
  const near = Object.keys(FLAGS).find((flag) => isNear(name, flag))
  return near === undefined ? '' : ` Did you mean --${near}?`
}

/** Whether two names differ by one added, missing, replaced or swapped character. */
function isNear(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  const [a, b] = [one.slice(start), other.slice(start)]
  return (
    a.slice(1) === b ||
    a === b.slice(1) ||
    a.slice(1) === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  )
}

// names of flags that differ from the option of startEmulator
const FLAG_OF: Readonly<Record<string, string>> = {
  ruPerSecond: 'ru',
  latencyMs: 'latency',
  storageScale: 'storage-scale'
}

function inFlags(sentence: string): string {
  return sentence.replace(/^The option '(\w+)'/, (_, name: string) => `--${FLAG_OF[name] ?? name}`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
