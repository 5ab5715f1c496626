import type { Epoch } from '../batch/pending.ts'

/** Knows when all operations that were taken in before a moment have their outcome. */
export class Flushes {
  #epochs: Epoch[] = [{ open: 0 }]
  readonly #waiting: { readonly epoch: Epoch; readonly resolve: () => void }[] = []

  get current(): Epoch {
    return this.#epochs[this.#epochs.length - 1]
  }

  /** One operation of an epoch has its outcome. */
  close(epoch: Epoch): void {
    epoch.open--
    if (epoch.open === 0 && this.#waiting.length > 0) this.#advance()
  }

  /** Resolves when all that has come so far has its outcome. */
  flush(): Promise<void> {
    const epoch = this.current
    this.#epochs.push({ open: 0 })
    return new Promise((resolve) => {
      this.#waiting.push({ epoch, resolve })
      this.#advance()
    })
  }

  #advance(): void {
    while (this.#epochs.length > 1 && this.#epochs[0].open === 0) {
      const [done] = this.#epochs.splice(0, 1)
      while (this.#waiting[0]?.epoch === done) this.#waiting.shift()!.resolve()
    }
  }
}
