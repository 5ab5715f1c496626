import { createPlan, type KeyComponent, type Splice, type StampedBytes } from '@keystamp/core'
import { formatPointer, type Pointer } from '@keystamp/core/internal'
import { ABSENT, type MemberScan } from '../json/member-scan.ts'
import {
  type ChangedMember,
  type CopyLayout,
  type CopyOptions,
  createCopyLayout,
  EXPIRING,
  isMarkerOf,
  orderSplices,
  REPEATED,
  MARK,
  type StampedPlace
} from './copy-layout.ts'
import type { DocumentMapper, Expiring, MappedDocument, Rejected } from './document-mapper.ts'
import type { Identity } from './identity.ts'
import type { StoredDocument } from './stored-document.ts'
import { timeLeft } from './time-left.ts'

/**
 * Creates the mapper from the source to the target: key and id by the plan, without system properties, with the time to
 * live that is left. Throws a PlanError for a plan that a move cannot use.
 */
export function createPlanMapper(options: CopyOptions): DocumentMapper {
  const plan = createPlan(options.plan)
  const layout = createCopyLayout(options)
  const { scan } = layout
  const pointers: readonly Pointer[] = options.sourceKeyPaths
  return {
    basis: layout.basis.fields.length === 0 ? 'identity' : 'fields',
    map,
    targetOf,
    sourceOf: (copy) => (scan.scan(copy.bytes, copy.start, copy.end) ? layout.originalOf(copy) : undefined)
  }

  function map(document: StoredDocument, nowMs: number): MappedDocument | Expiring | Rejected {
    const { bytes, start, end, identity, timestamp } = document
    const isScanned = scan.scan(bytes, start, end)
    // a marker has only the key and the id of the document, and the plan may need more
    if (isScanned && isMarkerOf(layout)) return EXPIRING
    const stamped = plan.stampBytes(bytes, undefined, start, end)
    if (!stamped.ok) return { kind: 'rejected', code: stamped.code, message: stamped.message }
    if (!isScanned) return REPEATED
    const left = timeLeft(options, scan.textOf(layout.ttl.at), timestamp, nowMs)
    if (left === 'expiring') return EXPIRING
    const id = stamped.id ?? identity.id
    const edits = new CopyEdits(layout, stamped)
    edits.markStamped()
    if (layout.keptId !== undefined) edits.set(layout.keptId, JSON.stringify(identity.id))
    if (left !== undefined) edits.set(layout.ttl, String(left), true)
    return {
      kind: 'mapped',
      identity: { key: stamped.values, id },
      stamped: { ...stamped, id, splices: edits.finish() }
    }
  }

  function targetOf(identity: Identity): Identity | Rejected {
    const record = plan.stamp(recordOf(identity, pointers))
    if (!record.ok) return { kind: 'rejected', code: record.code, message: record.message }
    return { key: record.values, id: record.id ?? identity.id }
  }
}

/** The changes of one document on its way to the target. */
class CopyEdits {
  readonly #layout: CopyLayout
  readonly #stamped: StampedBytes
  readonly #splices: Splice[]
  #added = ''
  /** Entries of the mark by JSON pointer; undefined if there is none, as for most documents. */
  #entries: Map<string, string> | undefined = undefined

  constructor(layout: CopyLayout, stamped: StampedBytes) {
    this.#layout = layout
    this.#stamped = stamped
    this.#splices = [...stamped.splices]
  }

  get #scan(): MemberScan {
    return this.#layout.scan
  }

  /** Keeps what cannot be seen in the copy: values that the plan found or replaced. */
  markStamped(): void {
    const { starts, sizes } = this.#scan
    for (const member of this.#layout.stamped) {
      if (starts[member.at] !== ABSENT) {
        if (!member.isOwnField || this.#isReplaced(member)) this.#mark(member)
        continue
      }
      if (member.isOwnField) this.#mark(member)
      const parent = member.parents.find(({ at }) => starts[at] !== ABSENT)
      // without the mark, the way back would remove the empty object
      if (parent !== undefined && sizes[parent.at] === 0) this.#mark(parent)
    }
  }

  #isReplaced({ at }: StampedPlace): boolean {
    return this.#stamped.splices.some((splice) => splice.at === this.#scan.starts[at])
  }

  /** Gives a member of the document another value. */
  set(member: ChangedMember, json: string, isTtl = false): void {
    const { at, pointer } = member
    const { starts, ends } = this.#scan
    if (starts[at] === ABSENT) this.#added += `,${JSON.stringify(pointer[0])}:${json}`
    else this.#splices.push({ at: starts[at], end: ends[at], before: json, value: undefined })
    if (isTtl || starts[at] !== ABSENT) this.#mark(member, isTtl ? json : undefined)
  }

  #mark({ at, pointer }: ChangedMember, now?: string): void {
    const was = this.#scan.textOf(at)
    const values = [was === undefined ? '' : `"was":${was}`, now === undefined ? '' : `"now":${now}`]
    this.#entries ??= new Map()
    this.#entries.set(formatPointer(pointer), `{${values.filter((text) => text !== '').join(',')}}`)
  }

  #markText(): string {
    return `{${Array.from(this.#entries ?? [], ([pointer, values]) => `${JSON.stringify(pointer)}:${values}`).join(',')}}`
  }

  /** All changes, in order. */
  finish(): readonly Splice[] {
    const { mark, system } = this.#layout
    const scan = this.#scan
    // a mark of an earlier move must not be taken for one of this move
    if (scan.starts[mark.at] !== ABSENT) {
      this.#mark(mark)
      this.#splices.push({
        at: scan.starts[mark.at],
        end: scan.ends[mark.at],
        before: this.#markText(),
        value: undefined
      })
    } else if (this.#entries !== undefined) this.#added += `,"${MARK}":${this.#markText()}`
    const at = this.#stamped.end - 1
    if (this.#added !== '') this.#splices.push({ at, end: at, before: this.#added, value: undefined })
    for (const cut of scan.cutsOf(system)) this.#splices.push(cut)
    return orderSplices(this.#splices)
  }
}

/** A document with the fields of an identity only. */
function recordOf({ key, id }: Identity, pointers: readonly Pointer[]): object {
  const record: Members = { id }
  for (const [level, pointer] of pointers.entries()) setAt(record, pointer, key[level])
  return record
}

interface Members {
  [name: string]: Members | KeyComponent
}

function setAt(record: Members, pointer: Pointer, value: KeyComponent): void {
  if (value === undefined) return
  let parent = record
  for (const name of pointer.slice(0, -1)) parent = (parent[name] ??= {}) as Members
  parent[pointer[pointer.length - 1]] = value
}
