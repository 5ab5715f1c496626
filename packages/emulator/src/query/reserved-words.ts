/** Words that cannot name an alias, or a property behind a dot: there the service wants `c["value"]`. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word)
}

const RESERVED: ReadonlySet<string> = new Set(
  'AND ARRAY AS ASC BETWEEN BY DESC DISTINCT EXISTS FALSE FROM GROUP IN JOIN LIKE NOT NULL OR ORDER SELECT TOP TRUE UDF UNDEFINED VALUE WHERE'.split(
    ' '
  )
)
