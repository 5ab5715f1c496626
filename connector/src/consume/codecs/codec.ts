/** Gives back the records of a batch that was compressed. Throws, with half a sentence, where they are damaged. */
export type Decompress = (bytes: Buffer) => Buffer | Promise<Buffer>
