import type { Container } from '../store/container.ts'
import { documentText } from '../store/document-text.ts'
import type { Outcome } from '../store/item-operation.ts'

/** An element of the answer to a bulk or batch, as JSON text. */
export function operationResult(container: Container, type: unknown, outcome: Outcome, isMinimal: boolean): string {
  let text = `{"statusCode":${outcome.status},"requestCharge":${outcome.chargeRu}`
  const { item } = outcome
  if (outcome.status >= 400) return text + failure(outcome) + '}'
  if (item !== undefined) {
    text += `,"eTag":"\\"${container.itemEtag(item.version, item.timestamp).slice(1, -1)}\\""`
    const isSilent = outcome.status === 304 || (isMinimal && type !== 'Read')
    if (!isSilent) text += `,"resourceBody":${documentText(container, item)}`
  }
  return text + '}'
}

function failure(outcome: Outcome): string {
  const wait = outcome.retryAfterMs === undefined ? '' : `,"retryAfterMilliseconds":${outcome.retryAfterMs}`
  return `,"subStatusCode":${outcome.subStatus}${wait},"message":${JSON.stringify(outcome.message ?? '')}`
}
