/** The operators between two values. */
export type BinaryOperator =
  | '='
  | '!='
  | '<'
  | '>'
  | '<='
  | '>='
  | '|'
  | '^'
  | '&'
  | '<<'
  | '>>'
  | '>>>'
  | '+'
  | '-'
  | '||'
  | '*'
  | '/'
  | '%'
  | '??'

/** A part of a query that has a value, which may be undefined. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: 'parameter'; readonly name: string; readonly at: number }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: string; readonly dotted: boolean }
  | { readonly kind: 'index'; readonly of: Expression; readonly index: Expression }
  | { readonly kind: 'unary'; readonly operator: 'NOT' | '-' | '+' | '~'; readonly operand: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  // a chain of AND or OR is one node with all operands, since clients send chains of hundreds
  | { readonly kind: 'logical'; readonly operator: 'AND' | 'OR'; readonly operands: readonly Expression[] }
  | { readonly kind: 'conditional'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: 'in'; readonly value: Expression; readonly list: readonly Expression[]; readonly not: boolean }
  | {
      readonly kind: 'between'
      readonly value: Expression
      readonly low: Expression
      readonly high: Expression
      readonly not: boolean
    }
  | LikeExpression
  | CallExpression
  | { readonly kind: 'array'; readonly items: readonly Expression[] }
  | { readonly kind: 'object'; readonly members: readonly ObjectMember[] }
  | SubqueryExpression

/** `(SELECT ...)`, `ARRAY(SELECT ...)` or `EXISTS(SELECT ...)`. */
export interface SubqueryExpression {
  readonly kind: 'subquery'
  readonly form: 'scalar' | 'ARRAY' | 'EXISTS'
  readonly query: Query
  readonly at: number
}

/** `value LIKE pattern ESCAPE escape`. */
export interface LikeExpression {
  readonly kind: 'like'
  readonly value: Expression
  readonly pattern: Expression
  readonly escape: string | undefined
  readonly not: boolean
}

/** A call of a function or an aggregate. */
export interface CallExpression {
  readonly kind: 'call'
  /** In capitals. */
  readonly name: string
  readonly values: readonly Expression[]
  readonly at: number
}

/** One member of an object literal. */
export interface ObjectMember {
  readonly name: string
  readonly value: Expression
}

/** One column of a SELECT list, and its name in the result. */
export interface SelectItem {
  readonly name: string
  readonly value: Expression
}

/** The SELECT clause: the result for each row. */
export type Selection =
  | { readonly kind: 'star' }
  | { readonly kind: 'value'; readonly value: Expression }
  | { readonly kind: 'list'; readonly items: readonly SelectItem[] }

/**
 * A source of FROM or JOIN: the documents, the rows of a subquery, a path in each of them, or the elements of an array
 * in each of them.
 */
export interface Source {
  /** The container in the first source, or the name of an earlier source; empty for a subquery. */
  readonly collection: string
  readonly query?: Query
  readonly path: readonly (string | number)[]
  /** The name of a row in the rest of the query; undefined after a path that ends in a number. */
  readonly alias: string | undefined
  /** True for `FROM alias IN collection.path`. */
  readonly each: boolean
  readonly at: number
}

/** A key of ORDER BY. */
export interface OrderKey {
  readonly value: Expression
  readonly direction: 'ASC' | 'DESC' | undefined
}

/** A number of rows, or the parameter with that number. */
export type Count = number | { readonly parameter: string; readonly at: number }

/** A parsed query. */
export interface Query {
  readonly distinct: boolean
  readonly top: Count | undefined
  readonly selection: Selection
  readonly from: Source | undefined
  readonly joins: readonly Source[]
  readonly where: Expression | undefined
  readonly groupBy: readonly Expression[]
  readonly orderBy: readonly OrderKey[]
  readonly window: { readonly offset: Count; readonly limit: Count } | undefined
}

/** The expressions directly inside an expression; none for a subquery, which has names of its own. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'parameter':
    case 'name':
    case 'subquery':
      return []
    case 'member':
      return [expression.of]
    case 'index':
      return [expression.of, expression.index]
    case 'unary':
      return [expression.operand]
    case 'binary':
      return [expression.left, expression.right]
    case 'logical':
      return expression.operands
    case 'conditional':
      return [expression.test, expression.yes, expression.no]
    case 'in':
      return [expression.value, ...expression.list]
    case 'between':
      return [expression.value, expression.low, expression.high]
    case 'like':
      return [expression.value, expression.pattern]
    case 'call':
      return expression.values
    case 'array':
      return expression.items
    case 'object':
      return expression.members.map(({ value }) => value)
  }
}

/** Whether a subquery is somewhere in the expression. */
export function hasSubquery(expression: Expression): boolean {
  return expression.kind === 'subquery' || childrenOf(expression).some(hasSubquery)
}

/** All expressions of a query, also those of the subqueries in FROM and JOIN. */
export function expressionsOf(query: Query): readonly Expression[] {
  const { selection, from, joins, where, groupBy, orderBy } = query
  const sources = from === undefined ? joins : [from, ...joins]
  return [
    ...selectedValues(selection),
    ...sources.flatMap((source) => (source.query === undefined ? [] : expressionsOf(source.query))),
    ...(where === undefined ? [] : [where]),
    ...groupBy,
    ...orderBy.map(({ value }) => value)
  ]
}

/** The expressions that SELECT computes; none for `*`. */
export function selectedValues(selection: Selection): readonly Expression[] {
  if (selection.kind === 'star') return []
  return selection.kind === 'value' ? [selection.value] : selection.items.map(({ value }) => value)
}

/** The name of a SELECT column without an alias: the name of the property or of the row. */
export function columnName(value: Expression): string | undefined {
  return value.kind === 'member' || value.kind === 'name' ? value.name : undefined
}

/** The result of SELECT as one expression; a list of columns becomes an object. */
export function selectedObject(selection: Exclude<Selection, { kind: 'star' }>): Expression {
  return selection.kind === 'value' ? selection.value : { kind: 'object', members: selection.items }
}
