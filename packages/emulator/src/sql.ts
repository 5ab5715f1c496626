// Reads queries without running them, for tools that look at queries only: needs no other package and no module of Node.
export { childrenOf } from './query/ast.ts'
export type {
  BinaryOperator,
  CallExpression,
  Count,
  Expression,
  LikeExpression,
  ObjectMember,
  Selection,
  SelectItem,
  Source
} from './query/ast.ts'
export { type QueryClauses, readClauses, type UnreadClause } from './query/read-clauses.ts'
