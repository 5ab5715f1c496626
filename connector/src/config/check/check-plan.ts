import { createPlan, isKeystampError, type PlanDefinition, PlanError } from '@keystamp/core'
import type { ConfigPath } from '../config-path.ts'

/** Every mistake of a key plan, at its place in the plan. */
export function checkPlan(plan: unknown): readonly { readonly path: ConfigPath; readonly message: string }[] {
  try {
    createPlan(plan as PlanDefinition, { random: () => 0 })
    return []
  } catch (error) {
    if (!isKeystampError(error) || !(error instanceof PlanError)) throw error
    return error.mistakes.map(({ path, message }) => ({ path: toPath(path, plan), message }))
  }
}

function toPath(pointer: string, plan: unknown): ConfigPath {
  let at: unknown = plan
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const name = Array.isArray(at) ? Number(part) : part
      at = (at as Readonly<Record<string | number, unknown>> | undefined)?.[name]
      return name
    })
}
