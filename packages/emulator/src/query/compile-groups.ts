import { type Aggregate, type AggregateName, createAggregate } from './aggregate.ts'
import type { Query } from './ast.ts'
import { type BlockMemory, COLLECTED } from './block-lists.ts'
import { compileExpression } from './compile-expression.ts'
import type { BoundName, CompileScope, Evaluate } from './compile-scope.ts'
import { KeyTable } from './key-table.ts'
import { printExpression } from './print-query.ts'

/** Collects rows in groups, and computes one result for each group. */
export interface Groups {
  readonly add: (row: unknown) => void
  readonly count: () => number
  /** Computes the result of a group, from 0 in the order of their first rows. */
  readonly result: (group: number) => unknown
}

/** Compiles GROUP BY and the aggregates of SELECT. Without GROUP BY, all rows are one group. */
export function compileGroups(
  { groupBy }: Query,
  scope: CompileScope,
  compileSelection: (scope: CompileScope) => Evaluate
): (emptyRow: unknown, memory?: BlockMemory) => Groups {
  const keys = groupBy.map((key) => compileExpression(key, scope))
  const columns: Column[] = []
  // the group of the result that is computed
  let aggregates: readonly Aggregate[] = []
  let current = 0
  const select = compileSelection({
    ...(keys.length === 0 ? scope : toKeyScope(groupBy, scope)),
    compileAggregate: ({ name, values: [value] }) => {
      const index = columns.push({ name: name as AggregateName, read: compileExpression(value, scope) }) - 1
      return () => aggregates[index].result(current)
    }
  })
  return (emptyRow, memory = COLLECTED) => {
    const groups = keys.length === 0 ? new OneGroup(emptyRow, columns, memory) : new GroupTable(keys, columns, memory)
    return {
      add: (row) => groups.add(row),
      count: () => groups.count(),
      result: (group) => {
        aggregates = groups.aggregates
        current = group
        return select(groups.rowOf(group))
      }
    }
  }
}

/**
 * The scope of SELECT, whose rows are the values of the keys: other than in aggregates, SELECT uses nothing but keys, or
 * parts of them.
 */
function toKeyScope(groupBy: Query['groupBy'], scope: CompileScope): CompileScope {
  const keys = new Map<string, Evaluate>()
  const names = new Map<string, BoundName>(scope.names)
  for (const [index, key] of groupBy.entries()) {
    const read: Evaluate = (row) => (row as readonly unknown[])[index]
    keys.set(printExpression(key), read)
    if (key.kind === 'name') names.set(key.name, { read, isDocument: scope.names.get(key.name)?.isDocument === true })
  }
  return { ...scope, names, readKey: (expression) => keys.get(printExpression(expression)) }
}

/** An aggregate of SELECT, and the value that it reads from a row. */
interface Column {
  readonly name: AggregateName
  readonly read: Evaluate
}

/** All rows as one group, which exists also without rows. */
class OneGroup {
  readonly aggregates: readonly Aggregate[]
  readonly #emptyRow: unknown
  readonly #columns: readonly Column[]

  constructor(emptyRow: unknown, columns: readonly Column[], memory: BlockMemory) {
    this.#emptyRow = emptyRow
    this.#columns = columns
    this.aggregates = createAggregates(columns, memory)
    for (const aggregate of this.aggregates) aggregate.open()
  }

  add(row: unknown): void {
    for (let index = 0; index < this.#columns.length; index++)
      this.aggregates[index].add(0, this.#columns[index].read(row))
  }

  count(): number {
    return 1
  }

  rowOf(): unknown {
    return this.#emptyRow
  }
}

/** Groups with their numbers, by the values of their keys. */
class GroupTable {
  readonly aggregates: readonly Aggregate[]
  readonly #keys: readonly Evaluate[]
  readonly #columns: readonly Column[]
  readonly #table: KeyTable
  // of the row that is added; used again for each row
  readonly #values: unknown[]

  constructor(keys: readonly Evaluate[], columns: readonly Column[], memory: BlockMemory) {
    this.#table = new KeyTable(memory)
    this.#keys = keys
    this.#columns = columns
    this.#values = keys.map(() => undefined)
    this.aggregates = createAggregates(columns, memory)
  }

  add(row: unknown): void {
    for (let index = 0; index < this.#keys.length; index++) this.#values[index] = this.#keys[index](row)
    const known = this.#table.size
    const group = this.#table.numberOf(this.#values)
    if (group === known) for (const aggregate of this.aggregates) aggregate.open()
    for (let index = 0; index < this.#columns.length; index++)
      this.aggregates[index].add(group, this.#columns[index].read(row))
  }

  count(): number {
    return this.#table.size
  }

  rowOf(group: number): unknown {
    return this.#table.valuesOf(group)
  }
}

function createAggregates(columns: readonly Column[], memory: BlockMemory): Aggregate[] {
  return columns.map(({ name }) => createAggregate(name, memory))
}
