import type { Emulator, EmulatorOptions } from '@keystamp/emulator'
import type { Command } from 'commander'
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts'
import type { Surroundings } from '../surroundings.ts'
import { toCount } from '../to-count.ts'
import { UsageError } from '../usage-error.ts'

interface EmulateCommandOptions {
  readonly port: string
  readonly host?: string
  readonly https?: boolean
  readonly throttle?: boolean
  readonly ranges?: string
  readonly ru?: string
  readonly log?: boolean
  readonly json?: boolean
}

/** `keystamp emulate`: a local Cosmos DB until it is interrupted. */
export function addEmulate(program: Command, surroundings: Surroundings, finish: (code: ExitCode) => void): void {
  program
    .command('emulate')
    .description('Run a local Cosmos DB with true partitions, request units and throttling.')
    .option('--port <number>', 'where clients connect; 0 takes a free one', '8081')
    .option('--host <address>', 'listen on another address than the loopback; the control path then asks for a token')
    .option('--https', 'serve TLS with a certificate made at the start')
    .option('--throttle', 'refuse what a partition cannot pay')
    .option('--ranges <count>', 'physical partitions of a new container (default: what its throughput asks for)')
    .option('--ru <count>', 'RU/s of a container that names none (default: 400)')
    .option('--log', 'a line for each request on standard error')
    .option('--json', 'print endpoint and key as JSON when it is ready')
    .addHelpText('after', EXAMPLES)
    .action(async (options: EmulateCommandOptions) => {
      await emulateCommand(options, surroundings)
      finish(EXIT_CODES.ok)
    })
}

const EXAMPLES = `
Examples:
  $ keystamp emulate
  $ keystamp emulate --port 8081 --throttle --ranges 4 --ru 40000
`

async function emulateCommand(options: EmulateCommandOptions, { stdout, stderr, signal }: Surroundings): Promise<void> {
  // loaded only here: no other command should pay for it
  const { startEmulator, WELL_KNOWN_KEY } = await import('@keystamp/emulator')
  const emulator = await start(startEmulator, options, (line) => stderr.write(`${line}\n`))
  stdout.write(options.json === true ? `${JSON.stringify(toJson(emulator))}\n` : greetingOf(emulator, emulator.key === WELL_KNOWN_KEY))
  await waitForAbort(signal)
  await emulator.stop()
}

type StartEmulator = (options: EmulatorOptions) => Promise<Emulator>

async function start(startEmulator: StartEmulator, options: EmulateCommandOptions, log: (line: string) => void): Promise<Emulator> {
  const { port, host, https, throttle, ranges, ru } = options
  const settings: EmulatorOptions = {
    port: toCount('--port', port),
    ...(host === undefined ? {} : { host }),
    ...(https === undefined ? {} : { https }),
    ...(throttle === undefined ? {} : { throttle }),
    ...(ranges === undefined ? {} : { ranges: toCount('--ranges', ranges) }),
    ...(ru === undefined ? {} : { ruPerSecond: toCount('--ru', ru) }),
    ...(options.log === true ? { log } : {})
  }
  try {
    return await startEmulator(settings)
  } catch (error) {
    throw new UsageError(reasonOf(error as NodeJS.ErrnoException, port))
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException, port: string): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Choose another with --port, or --port 0 for a free one.`
  if (code === 'EACCES') return `Port ${port} may not be opened: permission is denied. Choose one from 1024 on.`
  return message
}

function toJson({ endpoint, key, controlToken }: Emulator): object {
  return { endpoint, key, ...(controlToken === undefined ? {} : { controlToken }) }
}

function greetingOf({ endpoint, controlToken }: Emulator, isKeyWellKnown: boolean): string {
  const keyText = isKeyWellKnown ? 'the well-known key of Microsoft’s emulators' : 'the given key'
  const control = controlToken === undefined ? '' : `The control path asks for the token ${controlToken}.\n`
  return `A local Cosmos DB is ready at ${endpoint} with ${keyText}. Ctrl-C ends it.\n${control}`
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
