import type { Command } from 'commander'
import { toFieldPointer } from '@keystamp/core/internal'
import { toCount } from '../to-count.ts'
import { UsageError } from '../usage-error.ts'

/** The options by which every command is told its key plan. */
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
    .option('--from <fields>', 'instead of a plan: the fields of the key, such as deviceId,date or /a/b')
    .option('--into <path>', 'with --from: where the key is written (default: "/partitionKey")')
    .option('--separator <character>', 'with --from: between the fields (default: "-")')
    .option('--suffix <count>', 'with --from: spread each key over so many')
    .option('--by <fields>', 'with --suffix: computed from these fields, or "random"')
    .option('--labels <kind>', 'with --suffix: numbered or even (default: "numbered")')
}

/** Refuses options that would change nothing, and whoever gave them would not notice: the key would be another than the one meant. */
export function checkPlanOptions(options: PlanOptions): void {
  const { plan, from } = options
  if (plan !== undefined && from !== undefined) throw new UsageError('Give either --plan or --from: each says what the key is made of.')
  if (from !== undefined) return
  const stray = ['into', 'separator', 'suffix', 'by', 'labels'].find((name) => options[name as keyof PlanOptions] !== undefined)
  if (stray === undefined) return
  const instead = plan === undefined ? '' : ' With --plan, write it into the plan.'
  throw new UsageError(`--${stray} goes with --from, which says what the key is made of.${instead}`)
}

/** A plan's definition from the options for the impatient. */
export function planFromOptions(options: PlanOptions): unknown {
  const { from, into, separator, suffix, by, labels } = options
  if (from === undefined) throw new UsageError('Name a key plan: --plan plan.json, or on the line --from deviceId,date.')
  if (suffix === undefined && (by ?? labels) !== undefined) throw new UsageError('--by and --labels go with --suffix.')
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
  if (by === undefined) throw new UsageError('--suffix needs --by: the fields it is computed from, or "random".')
  return by === 'random' ? by : by.split(',').map(toFieldPointer)
}
