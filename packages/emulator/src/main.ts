import { runCommand } from './command.ts'

const exitCode = await runCommand(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  log: (line) => process.stderr.write(`${line}\n`),
  called: 'npx @keystamp/emulator',
  waitForEnd: () =>
    new Promise((resolve) => {
      process.once('SIGINT', resolve)
      process.once('SIGTERM', resolve)
      // a parent that started us with a pipe is gone when the pipe ends
      if (process.argv.includes('--options')) process.stdin.resume().once('end', resolve)
    })
})
// open pipes to a parent would keep the process
process.exit(exitCode)
