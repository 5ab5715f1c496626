import { runCommand } from '../run-command.ts'

export const RAISE = ['--partitions', '2', '--from', '20000', '--to', '30000']

/** Runs `keystamp capacity`. */
export async function capacity(...args: readonly string[]): ReturnType<typeof runCommand> {
  return await runCommand(['capacity', ...args])
}

export async function json(...args: readonly string[]): Promise<unknown> {
  const { stdout } = await capacity(...args.filter((arg) => arg !== '--json'), '--json')
  return JSON.parse(stdout)
}

/** The words of wrapped text in one line. */
export function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
