import type { Command } from 'commander'
import { toFieldPointer } from '@keystamp/core/internal'
import { toCount } from '../shared-options.ts'
import { UsageError } from '../exit-codes.ts'

/** Options for the key plan, of all commands that take one. */
export interface PlanOptions {
  readonly plan?: string
  readonly from?: string
  readonly into?: string
  readonly separator?: string
  readonly suffix?: string
  readonly by?: string
  readonly labels?: string
}

export function addPlanOptions(command: Command): Command {
  return command
    .option('-p, --plan <file>', 'key plan: JSON, comments allowed')
    .option('--from <fields>', 'in place of a plan: the fields of the key, such as deviceId,date or /a/b')
    .option('--into <path>', 'with --from: where the key is written (default: "/partitionKey")')
    .option('--separator <character>', 'with --from: the character between the fields (default: "-")')
    .option('--suffix <count>', 'with --from: spread each key over this number of keys')
    .option('--by <fields>', 'with --suffix: the fields from which the suffix is computed, or "random"')
    .option('--labels <kind>', 'with --suffix: numbered or even (default: "numbered")')
}

/** Throws for options that would have no effect: the key would differ from the key that the user wants. */
export function checkPlanOptions(options: PlanOptions): void {
  const { plan, from } = options
  if (plan !== undefined && from !== undefined)
    throw new UsageError('Give either --plan or --from: each defines the key.')
  if (from !== undefined) return
  const stray = ['into', 'separator', 'suffix', 'by', 'labels'].find(
    (name) => options[name as keyof PlanOptions] !== undefined
  )
  if (stray === undefined) return
  const instead = plan === undefined ? '' : ' With --plan, write it into the plan.'
  throw new UsageError(`--${stray} needs --from, which names the fields of the key.${instead}`)
}

/** The definition of a plan from `--from` and the options that need it. */
export function planFromOptions(options: PlanOptions): unknown {
  const { from, into, separator, suffix, by, labels } = options
  if (from === undefined) throw new UsageError('Name a key plan: --plan plan.json, or --from deviceId,date.')
  if (suffix === undefined && (by ?? labels) !== undefined) throw new UsageError('--by and --labels need --suffix.')
  return {
    into: toFieldPointer(into ?? 'partitionKey'),
    from: from.split(',').map((field) => ({ field: toFieldPointer(field) })),
    ...(separator === undefined ? {} : { separator }),
    ...(suffix === undefined
      ? {}
      : { suffix: { count: toCount('--suffix', suffix), by: toBy(by), ...(labels === undefined ? {} : { labels }) } })
  }
}

function toBy(by: string | undefined): unknown {
  if (by === undefined) throw new UsageError('--suffix needs --by: the fields from which it is computed, or "random".')
  return by === 'random' ? by : by.split(',').map(toFieldPointer)
}
