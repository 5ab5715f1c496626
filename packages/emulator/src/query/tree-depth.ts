import type { Expression } from './ast.ts'
import { MAX_TREE_DEPTH } from './limits.ts'
import { wrongQuery } from './query-error.ts'
import type { TokenReader } from './token-reader.ts'

/** Gives the node back, or refuses a tree so tall that walking it could overflow the stack. */
export function boundDepth<Node extends Expression>(node: Node, children: readonly Expression[], reader: TokenReader): Node {
  const depth = 1 + children.reduce((deepest, child) => Math.max(deepest, reader.depths.get(child) ?? 1), 0)
  if (depth > MAX_TREE_DEPTH) {
    throw wrongQuery(`The expression chains or nests more than ${MAX_TREE_DEPTH} operators; split it with parentheses`, reader.peek().at)
  }
  reader.depths.set(node, depth)
  return node
}
