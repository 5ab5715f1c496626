/** The names of the members of a document that the emulator itself reads, as bytes. */
export interface KnownMembers {
  readonly id: Buffer
  readonly ttl: Buffer
  /** One a level of the partition key; undefined when a key stands deeper in the document, or its name is one that all objects know. */
  readonly key: readonly Buffer[] | undefined
}

/** The known members of documents with these key paths. */
export function knownMembersOf(keyPaths: readonly (readonly string[])[]): KnownMembers {
  // a document without such a member seems to have one all the same, inherited from Object
  const isPlain = keyPaths.every((names) => names.length === 1 && !(names[0] in Object.prototype))
  return { id: Buffer.from('id'), ttl: Buffer.from('ttl'), key: isPlain ? keyPaths.map(([name]) => Buffer.from(name)) : undefined }
}
