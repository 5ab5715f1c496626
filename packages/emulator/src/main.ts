import { runCommand } from './command.ts'

const exitCode = await runCommand(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  log: (line) => process.stderr.write(`${line}\n`),
  commandName: 'npx @keystamp/emulator',
  waitForShutdown: () =>
    new Promise((resolve) => {
      process.once('SIGINT', resolve)
      process.once('SIGTERM', resolve)
      // the pipe ends when the parent process has ended
      if (process.argv.includes('--options')) process.stdin.resume().once('end', resolve)
    })
})
// open pipes to a parent would keep the process
process.exit(exitCode)
