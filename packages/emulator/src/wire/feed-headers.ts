import type { PhysicalRange } from '../partition/physical-range.ts'
import type { Container } from '../store/container.ts'
import { itemHeaders } from './item-headers.ts'

/** The headers of a page over one or more ranges. */
export function feedHeaders(
  container: Container,
  ranges: readonly PhysicalRange[],
  count: number,
  continuation: string | undefined
): string[] {
  const [first] = ranges
  const headers = first === undefined ? ['x-ms-content-path', container.rid] : itemHeaders(container, first)
  if (ranges.length > 1) headers[1] = ranges.map((range) => range.sessionToken).join(',')
  headers.push('x-ms-item-count', String(count))
  if (continuation !== undefined) headers.push('x-ms-continuation', continuation)
  return headers
}
