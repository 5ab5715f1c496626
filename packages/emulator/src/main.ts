import { runCommand } from './command.ts'

// registered first: a signal may come as soon as the emulator has printed that it is ready
const shutdown = new Promise<void>((resolve) => {
  process.once('SIGINT', () => resolve())
  process.once('SIGTERM', () => resolve())
  // the pipe ends when the parent process has ended
  if (process.argv.includes('--options')) process.stdin.resume().once('end', resolve)
})
const exitCode = await runCommand(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  log: (line) => process.stderr.write(`${line}\n`),
  commandName: 'npx @keystamp/emulator',
  waitForShutdown: () => shutdown
})
// open pipes to a parent would keep the process alive
process.exit(exitCode)
