import { SYSTEM_PROPERTIES } from '../store/document-text.ts'
import type { IndexNode } from './index-policy.ts'

/** Whether all values of a document are indexed (true) or none (false); undefined when that depends on their paths. */
export function isAllIndexed(policy: IndexNode | undefined): boolean | undefined {
  if (policy === undefined) return false
  const below = policy.below ?? false
  for (const [name, child] of policy.children) {
    // what stands there is taken out before values are counted
    if (!SYSTEM_PROPERTIES.includes(name) && !saysOnly(child, below)) return undefined
  }
  return below
}

function saysOnly(node: IndexNode, indexed: boolean): boolean {
  if (node.here === !indexed || node.below === !indexed) return false
  for (const child of node.children.values()) if (!saysOnly(child, indexed)) return false
  return node.any === undefined || saysOnly(node.any, indexed)
}
