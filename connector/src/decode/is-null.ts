/** Whether JSON bytes are the word null. */
export function isNull(json: Uint8Array): boolean {
  return json.length === 4 && json[0] === 0x6e && json[1] === 0x75 && json[2] === 0x6c && json[3] === 0x6c
}
