import type { PatchOperation, PatchStep } from './operation.ts'

/** Most steps of one patch; more travel as an atomic batch. */
const MAX_STEPS = 10

/** The JSON of each patch that the steps make, the condition in the first. */
export function patchBodies({ steps, condition }: PatchOperation): readonly string[] {
  const bodies: string[] = []
  for (let from = 0; from < steps.length; from += MAX_STEPS) {
    const operations = steps.slice(from, from + MAX_STEPS)
    bodies.push(JSON.stringify(from === 0 && condition !== undefined ? { operations, condition } : { operations }))
  }
  return bodies
}

/**
 * Whether the steps change nothing more when they are applied once more. An increment and what is put into an array add up;
 * what was removed or moved is not there for a second time.
 */
export function canRepeat(steps: readonly PatchStep[]): boolean {
  return steps.every((step) => (step.op === 'add' && !/\/(?:-|\d+)$/.test(step.path)) || step.op === 'set' || step.op === 'replace')
}
