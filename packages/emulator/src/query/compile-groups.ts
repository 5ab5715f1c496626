import { type Aggregate, type AggregateName, createAggregate } from './aggregate.ts'
import type { Query } from './ast.ts'
import { compileExpression } from './compile-expression.ts'
import type { CompileScope, Evaluate } from './compile-scope.ts'
import { canonicalText } from './values.ts'

/** Collects rows in groups, and computes one result for each group. */
export interface Groups {
  readonly add: (row: unknown) => void
  /** The result of each group, computed when it is read. */
  readonly results: () => Iterable<unknown>
}

/** Compiles GROUP BY and the aggregates of SELECT. Without GROUP BY, all rows are one group. */
export function compileGroups(
  { groupBy }: Query,
  scope: CompileScope,
  compileSelection: (scope: CompileScope) => Evaluate
): (emptyRow: unknown) => Groups {
  const keys = groupBy.map((key) => compileExpression(key, scope))
  const columns: Column[] = []
  let current: Group | undefined
  const select = compileSelection({
    ...scope,
    compileAggregate: ({ name, values: [value] }) => {
      const index = columns.push({ name: name as AggregateName, read: compileExpression(value, scope) }) - 1
      return () => current?.aggregates[index].result()
    }
  })
  return (emptyRow) => {
    const groups = new GroupMap(keys, columns)
    if (keys.length === 0) groups.find(emptyRow)
    return {
      add: (row) => {
        const { aggregates } = groups.find(row)
        for (let index = 0; index < columns.length; index++) aggregates[index].add(columns[index].read(row))
      },
      *results() {
        for (const group of groups.all) {
          current = group
          yield select(group.first)
        }
      }
    }
  }
}

/** An aggregate of SELECT, and the value that it reads from a row. */
interface Column {
  readonly name: AggregateName
  readonly read: Evaluate
}

interface Group {
  /** Expressions of SELECT without an aggregate have the same value for all rows of the group. */
  readonly first: unknown
  readonly aggregates: readonly Aggregate[]
}

/** Groups by the values of their keys: one level of maps for each key. */
class GroupMap {
  readonly all: Group[] = []
  readonly #keys: readonly Evaluate[]
  readonly #columns: readonly Column[]
  readonly #root: Map<unknown, unknown> = new Map()
  readonly #last: number

  constructor(keys: readonly Evaluate[], columns: readonly Column[]) {
    this.#keys = keys
    this.#columns = columns
    this.#last = keys.length - 1
  }

  find(row: unknown): Group {
    let level = this.#root
    for (let index = 0; index < this.#last; index++) {
      const key = identityOf(this.#keys[index](row))
      let next = level.get(key)
      if (next === undefined) level.set(key, (next = new Map()))
      level = next as Map<unknown, unknown>
    }
    const key = this.#last < 0 ? undefined : identityOf(this.#keys[this.#last](row))
    return (level.get(key) as Group | undefined) ?? this.#create(level, key, row)
  }

  #create(level: Map<unknown, unknown>, key: unknown, first: unknown): Group {
    const group = { first, aggregates: this.#columns.map(({ name }) => createAggregate(name)) }
    level.set(key, group)
    this.all.push(group)
    return group
  }
}

// scalars are keys of a map as they are; texts of arrays and objects begin with a character that no other key begins with
function identityOf(value: unknown): unknown {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `\u0000"${value}` : value
  return typeof value === 'object' && value !== null ? `\u0000${canonicalText(value)}` : value
}
