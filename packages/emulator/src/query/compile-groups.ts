import { type Aggregate, type AggregateName, createAggregate } from './aggregate.ts'
import type { Query } from './ast.ts'
import { compileExpression } from './compile-expression.ts'
import type { CompileScope, Evaluate } from './compile-scope.ts'
import { LargeMap } from './large-map.ts'
import { canonicalText } from './values.ts'

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
): (emptyRow: unknown) => Groups {
  const keys = groupBy.map((key) => compileExpression(key, scope))
  const columns: Column[] = []
  // the group of the result that is computed
  let aggregates: readonly Aggregate[] = []
  let current = 0
  const select = compileSelection({
    ...scope,
    compileAggregate: ({ name, values: [value] }) => {
      const index = columns.push({ name: name as AggregateName, read: compileExpression(value, scope) }) - 1
      return () => aggregates[index].result(current)
    }
  })
  return (emptyRow) => {
    const groups = new GroupTable(keys, columns)
    if (keys.length === 0) groups.open(emptyRow)
    return {
      add: (row) => groups.add(row),
      count: () => groups.first.length,
      result: (group) => {
        aggregates = groups.aggregates
        current = group
        return select(groups.first[group])
      }
    }
  }
}

/** An aggregate of SELECT, and the value that it reads from a row. */
interface Column {
  readonly name: AggregateName
  readonly read: Evaluate
}

/** Groups with their numbers, by the values of their keys: one level of maps for each key. */
class GroupTable {
  /** The first row of each group: expressions of SELECT without an aggregate have the same value for all its rows. */
  readonly first: unknown[] = []
  readonly aggregates: readonly Aggregate[]
  readonly #keys: readonly Evaluate[]
  readonly #columns: readonly Column[]
  readonly #root: LargeMap<unknown> | undefined

  constructor(keys: readonly Evaluate[], columns: readonly Column[]) {
    this.#keys = keys
    this.#columns = columns
    this.#root = keys.length === 0 ? undefined : new LargeMap()
    this.aggregates = columns.map(({ name }) => createAggregate(name))
  }

  add(row: unknown): void {
    const group = this.#root === undefined ? 0 : this.#find(this.#root, row)
    for (let index = 0; index < this.#columns.length; index++)
      this.aggregates[index].add(group, this.#columns[index].read(row))
  }

  /** Begins a group with its first row; returns its number. */
  open(row: unknown): number {
    for (const aggregate of this.aggregates) aggregate.open()
    return this.first.push(row) - 1
  }

  #find(root: LargeMap<unknown>, row: unknown): number {
    const last = this.#keys.length - 1
    let level = root
    for (let index = 0; index < last; index++) {
      const key = identityOf(this.#keys[index](row))
      let next = level.get(key)
      if (next === undefined) level.set(key, (next = new LargeMap<unknown>()))
      level = next as LargeMap<unknown>
    }
    const key = identityOf(this.#keys[last](row))
    let group = level.get(key)
    if (group === undefined) level.set(key, (group = this.open(row)))
    return group as number
  }
}

// scalars are keys of a map as they are; texts of arrays and objects begin with a character that no other key begins with
function identityOf(value: unknown): unknown {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `\u0000"${value}` : value
  return typeof value === 'object' && value !== null ? `\u0000${canonicalText(value)}` : value
}
