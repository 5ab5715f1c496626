import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { encodeFileHeader, FILE_HEADER_BYTES, type FileKind } from './file-header.ts'

/** A data file that is being written, and the position of its end. */
export class LogFile {
  readonly fd: number
  readonly path: string
  position: number

  private constructor(fd: number, path: string, position: number) {
    this.fd = fd
    this.path = path
    this.position = position
  }

  /** Creates a file, or empties one, and writes its header. */
  static create(path: string, kind: FileKind, number: number): LogFile {
    const file = new LogFile(openSync(path, 'w'), path, 0)
    try {
      file.write(encodeFileHeader(kind, number), 0, FILE_HEADER_BYTES)
    } catch (error) {
      file.close()
      throw error
    }
    return file
  }

  /** Opens a file to continue it at a position; drops the bytes after that. */
  static resume(path: string, position: number): LogFile {
    const file = new LogFile(openSync(path, 'r+'), path, position)
    ftruncateSync(file.fd, position)
    return file
  }

  /** Writes bytes at the end. After a failure the end is where it was, so that the same call can be repeated. */
  write(bytes: Buffer, start: number, end: number): void {
    let done = start
    while (done < end) done += writeSync(this.fd, bytes, done, end - done, this.position + done - start)
    this.position += end - start
  }

  close(): void {
    closeSync(this.fd)
  }
}
