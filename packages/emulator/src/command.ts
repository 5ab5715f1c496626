import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { EmulatorOptions } from './settings.ts'
import { type Emulator, startEmulator } from './start-emulator.ts'

/** What the command needs of its process. */
export interface CommandSurroundings {
  readonly print: (line: string) => void
  readonly complain: (line: string) => void
  readonly waitForEnd: () => Promise<unknown>
}

/** Runs the command line of the emulator and resolves with its exit code: 0, or 2 for wrong arguments, 1 for a failed start. */
export async function runCommand(args: readonly string[], surroundings: CommandSurroundings): Promise<number> {
  let parsed: Flags
  try {
    parsed = parseArgs({ args: [...args], options: FLAGS, strict: true }).values
  } catch (error) {
    surroundings.complain(`${messageOf(error)} Try --help.`)
    return 2
  }
  if (parsed.help === true) {
    surroundings.print(HELP)
    return 0
  }
  let emulator: Emulator
  try {
    emulator = await startEmulator(toOptions(parsed, surroundings))
    if (parsed.certificate !== undefined) await writeFile(parsed.certificate, emulator.certificate ?? '')
  } catch (error) {
    surroundings.complain(`The emulator could not be started: ${messageOf(error)}`)
    return 1
  }
  announce(emulator, parsed, surroundings.print)
  await surroundings.waitForEnd()
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
  throttle: { type: 'boolean' },
  latency: { type: 'string' },
  'no-auth': { type: 'boolean' },
  'accept-aad': { type: 'boolean' },
  'control-token': { type: 'string' },
  verbose: { type: 'boolean' },
  json: { type: 'boolean' },
  options: { type: 'string' },
  help: { type: 'boolean', short: 'h' }
} as const

type Flags = ReturnType<typeof parseArgs<{ options: typeof FLAGS }>>['values']

const HELP = `A local Azure Cosmos DB.

  npx @keystamp/emulator --port 8081 --throttle --ranges 4 --ru 40000

  --port <n>            port to listen on (default: 8081; 0 takes a free one)
  --host <address>      address to listen on (default: 127.0.0.1)
  --https               serve TLS with a certificate made at the start
  --certificate <file>  write that certificate to a file, for trust stores
  --key <base64>        account key (default: the well-known emulator key)
  --ranges <n>          physical partitions of a new container (default: by its throughput)
  --ru <n>              throughput of a container that names none (default: 400)
  --throttle            refuse with 429 what a partition cannot pay
  --latency <ms>        time that every answer takes at least
  --no-auth             accept requests without a valid signature
  --accept-aad          accept Entra-like tokens for data requests
  --control-token <t>   token of the control path (asked for when --host is not a loopback)
  --verbose             print a line for each request
  --json                print one line of JSON when ready
  --options <json>      options of startEmulator() as JSON; flags win

Ends on SIGINT or SIGTERM.`

function toOptions(flags: Flags, surroundings: CommandSurroundings): EmulatorOptions {
  const given = flags.options === undefined ? { port: 8081 } : (JSON.parse(flags.options) as EmulatorOptions)
  return {
    ...given,
    ...number('port', flags.port),
    ...(flags.host === undefined ? {} : { host: flags.host }),
    ...(flags.https === true ? { https: true } : {}),
    ...(flags.key === undefined ? {} : { key: flags.key }),
    ...number('ranges', flags.ranges),
    ...number('ruPerSecond', flags.ru),
    ...(flags.throttle === true ? { throttle: true } : {}),
    ...number('latencyMs', flags.latency),
    ...(flags['no-auth'] === true ? { auth: 'off' } : {}),
    ...(flags['accept-aad'] === true ? { acceptAad: true } : {}),
    ...(flags['control-token'] === undefined ? {} : { controlToken: flags['control-token'] }),
    ...(flags.verbose === true ? { log: surroundings.complain } : {})
  }
}

function number(name: string, text: string | undefined): Record<string, number> {
  return text === undefined ? {} : { [name]: Number(text) }
}

function announce(emulator: Emulator, flags: Flags, print: (line: string) => void): void {
  const { endpoint, key, certificate, controlToken } = emulator
  if (flags.json === true) {
    print(JSON.stringify({ endpoint, key, certificate, controlToken }))
    return
  }
  print(`Cosmos DB emulator ready at ${endpoint}`)
  print(`AccountEndpoint=${endpoint};AccountKey=${key};`)
  if (controlToken !== undefined) print(`Control token: ${controlToken}`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
