const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** The JSON object with an id as its first member; for one that is known to have none. */
export function withId(record: Uint8Array, id: string): Buffer {
  const brace = record.indexOf(OPEN_BRACE)
  const rest = record.subarray(brace + 1)
  const isEmpty = rest.find((byte) => byte > 0x20) === CLOSE_BRACE
  return Buffer.concat([Buffer.from(`{"id":${JSON.stringify(id)}${isEmpty ? '' : ','}`), rest])
}
