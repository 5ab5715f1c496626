declare module 'lz4js' {
  /** Returns the position after the last byte that was written. */
  export function decompressBlock(
    source: Uint8Array,
    target: Uint8Array,
    start: number,
    length: number,
    to: number
  ): number
  export function compress(bytes: Uint8Array): Uint8Array
}
declare module 'snappyjs' {
  export function compress(bytes: Buffer): Buffer
  export function uncompress(bytes: Buffer, maxLength?: number): Buffer
}
