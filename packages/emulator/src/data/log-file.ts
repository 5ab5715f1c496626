import { closeSync, fdatasync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { encodeFileHeader, FILE_HEADER_BYTES, type FileKind } from './file-header.ts'

/** A data file that is being written, and the position of its end. */
export class LogFile {
  readonly fd: number
  readonly path: string
  position: number
  #syncs = 0
  #isClosed = false

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

  /** Drops the bytes from a position on. */
  cut(position: number): void {
    ftruncateSync(this.fd, position)
    this.position = position
  }

  /** Waits until the disk has all bytes. */
  sync(): void {
    fdatasyncSync(this.fd)
  }

  /** Calls back once the disk has all bytes. */
  syncLater(done: (error: Error | null) => void): void {
    this.#syncs += 1
    fdatasync(this.fd, (error) => {
      this.#syncs -= 1
      if (this.#isClosed && this.#syncs === 0) closeSync(this.fd)
      done(error)
    })
  }

  /** Closes the file, after a pending `syncLater`. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#syncs === 0) closeSync(this.fd)
  }
}

/** Waits until the disk has the names of the files in a folder. */
export function syncFolder(folder: string): void {
  // Windows cannot open a folder
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
