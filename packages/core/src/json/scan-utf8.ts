/** Reads the characters beyond ASCII that begin at `at`. Gives the position of the first ASCII byte behind them, or `~position` of what is not UTF-8. */
export function scanUtf8(bytes: Uint8Array, at: number): number {
  let p = at
  for (;;) {
    const lead = bytes[p]
    if (lead < 0x80) return p
    const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    if (lead < 0xc2 || lead > 0xf4) return ~p
    const second = bytes[p + 1]
    if (second < lowestSecond(lead) || second > highestSecond(lead)) return ~(p + 1)
    for (let next = p + 2; next < p + length; next++) if ((bytes[next] & 0xc0) !== 0x80) return ~next
    p += length
  }
}

// Overlong forms begin with E0 80..9F and F0 80..8F, surrogates with ED A0..BF; beyond U+10FFFF is F4 90 and higher.
function lowestSecond(lead: number): number {
  return lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
}

function highestSecond(lead: number): number {
  return lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
}
