import { countTerms } from '../charge/index-terms.ts'
import type { Container } from './container.ts'
import type { DocumentContent } from './document-content.ts'
import { SYSTEM_PROPERTIES } from './document-text.ts'
import { keyOfDocument } from './partition-key.ts'

/** A document that came as an object; the system properties are taken out of it. */
export class ObjectDocument implements DocumentContent {
  readonly id: unknown
  readonly ttl: unknown
  readonly place: undefined = undefined
  readonly #body: Record<string, unknown>
  #isClean = false
  #text: string | undefined = undefined

  constructor(body: Record<string, unknown>) {
    this.id = body['id']
    this.ttl = body['ttl']
    this.#body = body
  }

  get document(): Record<string, unknown> {
    if (!this.#isClean) removeSystemProperties(this.#body)
    this.#isClean = true
    return this.#body
  }

  get text(): string {
    return (this.#text ??= JSON.stringify(this.document))
  }

  get length(): number {
    return Buffer.byteLength(this.text)
  }

  get isAscii(): boolean {
    return this.length === this.text.length
  }

  keyText(container: Container): string {
    return keyOfDocument(this.#body, container.keyPaths).text
  }

  terms(container: Container): number {
    return countTerms(this.document, container.indexPolicy)
  }
}

function removeSystemProperties(body: Record<string, unknown>): void {
  // undefined is left out by JSON.stringify, and costs less than deleting
  for (const name of SYSTEM_PROPERTIES) if (body[name] !== undefined) body[name] = undefined
}
