import type { Answer, OperationAnswer } from './transport.ts'

/** Reads the body of a bulk or batch that was taken. What cannot be read, or has not one answer for each operation, is no answer. */
export function parseAnswer(text: string, operations: number): Answer {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return unreadable('The answer is not JSON.')
  }
  if (!Array.isArray(parsed)) return unreadable('The answer is not an array.')
  // nobody knows which one is missing
  if (parsed.length !== operations) return unreadable(`The answer has ${parsed.length} elements for ${operations} operations.`)
  if (!parsed.every(isOperationAnswer)) return unreadable('An element of the answer has no status.')
  return { kind: 'answered', operations: parsed }
}

function unreadable(reason: string): Answer {
  return { kind: 'unanswered', reason, isSent: true }
}

function isOperationAnswer(element: unknown): element is OperationAnswer {
  return typeof element === 'object' && element !== null && 'statusCode' in element && typeof element.statusCode === 'number'
}
