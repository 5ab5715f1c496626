// API report of @keystamp/core, made by npm run docs. A change here is a change of the public API.

/** A key taken apart. */
export interface DecodedKey {
  readonly ok: true
  readonly levels: readonly DecodedLevel[]
  /** The version of the plan that the key has the form of: 0 for the newest. */
  readonly version: number
}

/**
 * A definition as an argument. `D` is inferred as the literal that is given, and yet the argument is checked as a PlanDefinition:
 * so an editor shows the documentation of each member, and a compiler names the members that are legal.
 * A literal that fits the record type was checked by the constraint of `D`: it is shown as a definition for any record, since an editor shows no
 * documentation of a member that differs from one component of the union to another.
 */
export type DefinitionOf<R, D> = unknown extends D ? D : [D] extends [PlanDefinition] ? PlanDefinition : PlanDefinition<R>

/** What stops the work: the sentence's pattern, its cause and the remedy. `docs/errors.md` is made from this table. */
export declare const ERROR_CODES: {
  readonly PLAN_INVALID: {
    readonly sentence: 'The key plan has N mistakes, each with its place.'
    readonly cause: 'A member is unknown, missing, of the wrong type, or contradicts another.'
    readonly remedy: 'Mend each named place; where a name is close to a known one, that one is suggested.'
  }
  readonly RANDOM_MISSING: {
    readonly sentence: 'The plan draws random suffixes, but no randomness was handed in.'
    readonly cause: '`createPlan` keeps no randomness of its own.'
    readonly remedy: 'Call `createPlan(plan, { random: Math.random })`, or compute the suffix from a field.'
  }
  readonly PARTS_MISSING: {
    readonly sentence: 'The key cannot be computed from these parts.'
    readonly cause: 'A component or the suffix needs a value that the parts do not hold.'
    readonly remedy: 'Give the named member, or ask `keysFor` for every key that the known parts can mean.'
  }
  readonly KEYS_UNBOUNDED: {
    readonly sentence: 'The known parts leave more keys open than can be listed.'
    readonly cause: 'A component that can take any value is unknown, or the list would pass its limit.'
    readonly remedy: 'Give the named member, or a narrower `between` for time buckets.'
  }
  readonly HASH_INPUT_INVALID: {
    readonly sentence: 'These values cannot be hashed as a partition key.'
    readonly cause: 'A key is made of text, finite numbers, booleans, null or nothing, and has one value a level.'
    readonly remedy: 'Check the values against the container’s key paths.'
  }
  readonly RECORD_REJECTED: {
    readonly sentence: 'A record was rejected, and nothing was said about going on without it.'
    readonly cause: 'A stage stops at the first record that gets no key, unless `onError` says otherwise.'
    readonly remedy: 'Mend the record at the named place, or choose `skip`, a side stream or a function for `onError`.'
  }
  readonly REJECTED_TOO_MANY: {
    readonly sentence: 'More records were rejected than the cap allows.'
    readonly cause: 'So many failures point at the plan or the input rather than at single records.'
    readonly remedy: 'Read the first reasons in the message, mend plan or input, or raise `maxRejected`.'
  }
  readonly INPUT_INVALID: {
    readonly sentence: 'The input is not what was announced.'
    readonly cause: 'It is not a JSON array, ends before it is complete, or its compression is broken.'
    readonly remedy: 'Check the file at the named byte; lines of JSON go to `stampLines`, an array to `stampArray`.'
  }
  readonly INPUT_UNREADABLE: {
    readonly sentence: 'An input cannot be read.'
    readonly cause: 'The file does not exist, may not be read, or the device failed.'
    readonly remedy: 'Check the name and the permissions.'
  }
  readonly OUTPUT_UNWRITABLE: {
    readonly sentence: 'The output cannot be written.'
    readonly cause: 'The folder does not exist, may not be written to, or the disk is full.'
    readonly remedy: 'Make room, or choose another place. No half file is left under the target’s name.'
  }
  readonly OPTION_INVALID: {
    readonly sentence: 'An option is not known or has a value that it cannot have.'
    readonly cause: 'A misspelled name or a value of the wrong kind; unknown options are never ignored.'
    readonly remedy: 'Mend the named option.'
  }
  readonly OPERATION_INVALID: {
    readonly sentence: 'What was handed to a writer is not an operation that it can send.'
    readonly cause: 'A mistake in the program: a bare record in place of an operation, a missing or misspelled property, or a value of the wrong kind.'
    readonly remedy: 'Hand over `{ kind: "upsert", record }`, or the record alone to `writer.upsert(record)`; the message names what is wrong.'
  }
  readonly COSMOS_UNAUTHORIZED: {
    readonly sentence: 'Cosmos DB refused who asked.'
    readonly cause: 'The key or token is wrong or has expired, a role or the firewall stands in the way, or the clock is more than 15 minutes off.'
    readonly remedy: 'Check the key or the role assignment, the firewall and the clock of this machine.'
  }
  readonly COSMOS_UNAVAILABLE: {
    readonly sentence: 'Cosmos DB does not answer, or asks to come back later, for longer than was waited.'
    readonly cause: 'The endpoint is wrong, the network fails, or the service is in trouble.'
    readonly remedy: 'Check the endpoint and the network; then try again.'
  }
  readonly COSMOS_REFUSED: {
    readonly sentence: 'Cosmos DB refused a request in a way that trying again does not cure.'
    readonly cause: 'The request is not what the container takes.'
    readonly remedy: 'Read the status in the message; report it with the activity id when it makes no sense.'
  }
  readonly CONTAINER_MISSING: {
    readonly sentence: 'There is no such database or container.'
    readonly cause: 'A name is misspelled, or the container was deleted.'
    readonly remedy: 'Check both names; create the container first.'
  }
  readonly CONTAINER_MISMATCH: {
    readonly sentence: 'The container is not what the key plan stamps for.'
    readonly cause: 'Its key paths, their number or its hash version are others than the plan’s.'
    readonly remedy: 'Mend `into`, `levels` or `hashVersion` of the plan as the message says, or name the right container.'
  }
  readonly CONTAINER_RECREATED: {
    readonly sentence: 'The container was deleted and created again while it was written to.'
    readonly cause: 'Its resource id has changed: it is another container of the same name, without the documents of the first.'
    readonly remedy: 'Find out who deleted it. Start again to write into the new one; write again from the source what was stored before.'
  }
  readonly READER_CLOSED: {
    readonly sentence: 'The reader is closed.'
    readonly cause: 'It was asked after it was closed, or closed while it read.'
    readonly remedy: 'Create another one, and close it when its answers are there.'
  }
  readonly WRITER_CLOSED: {
    readonly sentence: 'The writer is closed.'
    readonly cause: 'It was closed, or what stopped it is the cause; a write that was still on its way at the deadline may have been applied.'
    readonly remedy: 'Write again with a new writer what got no outcome.'
  }
  readonly WRITE_FENCED: {
    readonly sentence: 'The write was withdrawn before it was sent.'
    readonly cause: 'The fence that was handed in with it went up: whoever asked for the write has no right to it any more.'
    readonly remedy: 'None is needed; whoever has the right now writes it.'
  }
  readonly BUDGET_UNREACHABLE: {
    readonly sentence: 'The budget that processes share cannot be reached.'
    readonly cause: 'Redis does not answer at the given address, or the package `ioredis` is not installed.'
    readonly remedy: 'Check the address and install `ioredis`, version 5; or give each process a number of its own.'
  }
  readonly CHECKPOINT_INVALID: {
    readonly sentence: 'The checkpoint does not belong to this load.'
    readonly cause: 'It was written for other inputs, another plan or another container, an input has changed before its position, or the file is damaged or no checkpoint.'
    readonly remedy: 'Restore the input that the message names, or name the checkpoint of this load; delete a checkpoint to start from the beginning.'
  }
  readonly CONFIG_INVALID: {
    readonly sentence: 'The configuration has N mistakes, each with its line.'
    readonly cause: 'A key is unknown, missing, of the wrong type, or contradicts another.'
    readonly remedy: 'Mend each named place; where a name is close to a known one, that one is suggested.'
  }
  readonly KAFKA_UNAVAILABLE: {
    readonly sentence: 'Kafka cannot be reached.'
    readonly cause: 'The brokers’ address is wrong, or the network or a broker fails.'
    readonly remedy: 'Check `kafka.brokers` and the network.'
  }
  readonly KAFKA_UNAUTHORIZED: {
    readonly sentence: 'Kafka refused the credentials, or a certificate was not trusted.'
    readonly cause: 'The user name, password or token is wrong, an ACL is missing, or a certificate cannot be verified.'
    readonly remedy: 'Check `kafka.sasl`, `kafka.tls` and the ACLs of topics and consumer group.'
  }
  readonly TOPIC_MISSING: {
    readonly sentence: 'There is no such topic.'
    readonly cause: 'A name is misspelled, a pattern matches nothing, or the topic was deleted.'
    readonly remedy: 'Check `kafka.topics`; create the topic first.'
  }
  readonly OFFSETS_LOST: {
    readonly sentence: 'The group’s position lies where the topic has no records any more.'
    readonly cause: 'Retention removed records before they were read, or the topic was created anew.'
    readonly remedy: 'Find out what is missing; then move the group with `kafka-consumer-groups --reset-offsets`, or say `kafka.lostOffsets: earliest`.'
  }
  readonly PLAN_CHANGED: {
    readonly sentence: 'The group’s position was committed under another key plan.'
    readonly cause: 'Records before it have keys and ids that this plan does not give: they would be stored a second time, or not be found.'
    readonly remedy: 'List the older plan under `previous`, take another group, or say `acceptPlanChange: true` to go on.'
  }
  readonly REJECTS_FAILED: {
    readonly sentence: 'Rejected records cannot be copied to where they belong.'
    readonly cause: 'The dead letter topic does not exist, may not be written to, or does not take a record of this size.'
    readonly remedy: 'Create the topic, raise its `max.message.bytes`, or choose `rejects.tooLarge`.'
  }
  readonly TOLERANCE_EXCEEDED: {
    readonly sentence: 'More records were rejected than the configuration tolerates.'
    readonly cause: 'So many failures point at the configuration or the producer rather than at single records.'
    readonly remedy: 'Read the first reasons in the message, mend what they name, or raise `rejects.tolerance`.'
  }
  readonly SINK_STALLED: {
    readonly sentence: 'A record has had no outcome for too long, and nothing explains it.'
    readonly cause: 'A mistake in Keystamp, or a process that gets no time to run.'
    readonly remedy: 'Start it again: what is not committed is read again. Report it with the metrics of that time.'
  }
  readonly SHUTDOWN_TIMEOUT: {
    readonly sentence: 'The time to shut down in has passed.'
    readonly cause: 'Cosmos DB or the dead letter topic did not answer while the sink was draining.'
    readonly remedy: 'Nothing is lost: what is not committed is read again. Raise `shutdown` where this happens often.'
  }
  readonly INVARIANT_BROKEN: {
    readonly sentence: 'A promise of Keystamp’s own does not hold.'
    readonly cause: 'A mistake in Keystamp, or a caller that broke the order of calls.'
    readonly remedy: 'Stop, keep the data, and report it with the code that called.'
  }
}

export type ErrorCode = keyof typeof ERROR_CODES

/** The exact key of a record, and those it has under older versions where the parts do not tell which applies. */
export interface ExactKey extends PartitionKey {
  /** Under older versions of the plan, newest first; empty where the parts hold the boundary, or there are no versions. */
  readonly older: readonly PartitionKey[]
}

/** What a field of every matching document is like. */
export type FieldCondition =
  | {
      readonly kind: 'oneOf'
      readonly field: Pointer
      readonly values: readonly KeyValue[]
    }
  | {
      readonly kind: 'numberBetween'
      readonly field: Pointer
      readonly from: number
      readonly to: number
    }

/** A key as the Cosmos DB clients take it: the value of a key of one level, or the values of a hierarchical one. */
export type Key = KeyValue | readonly KeyValue[]

/** One component of a partition key; `undefined` where the document has none. */
export type KeyComponent = string | number | boolean | null | undefined

/** How a container hashes its partition key: the `partitionKey` of the container's JSON. */
export interface KeyDefinition {
  /** Default: Hash. */
  readonly kind?: 'Hash' | 'MultiHash'
  /** Default: 1, as Cosmos DB reads a definition that names none. MultiHash is always hashed by version 2. */
  readonly version?: 1 | 2
  readonly paths?: readonly string[]
}

/** A physical partition: all effective partition keys from `min` up to, but not including, `max`. */
export interface KeyRange {
  readonly id: string
  readonly min: string
  readonly max: string
}

/** A value that Cosmos DB accepts as one level of a partition key. */
export type KeyValue = string | number | boolean | null

/** What narrows a question that the parts leave open. */
export interface KeysForOptions {
  /** First and last moment, for the time buckets whose field the parts do not hold. A last moment that is a day stands for the whole day. */
  readonly between?: Between
  readonly source?: Source
}

/** Thrown for what stops the work: a wrong plan, a question that cannot be answered. What happens to one record is a value instead. */
export declare class KeystampError extends Error {
  /** One of ERROR_CODES, or why one record was rejected where that is thrown. */
  readonly code: ErrorCode | (string & {})
  /** Whether the same call can succeed later. Clients such as kafkajs retry whatever does not say. */
  readonly retriable: boolean
  constructor(
    code: ErrorCode,
    message: string,
    options?: {
      cause?: unknown
    }
  )
}

/**
 * The members at the top level of a record in their order, duplicates included: where they stand in the bytes.
 * Nothing is kept for each record, since few ask for more: the first question walks over the bytes, which must still hold the record.
 * It has no private methods, since there is one for each record, and whatever has them carries a mark of them.
 */
export declare class MemberTable {
  #private
  /** `bytes[start, end)` is a record whose grammar is known to be sound, without whitespace round it. */
  constructor(bytes: Uint8Array, start: number, end: number)
  get size(): number
  /** Position of the name's opening quote. */
  nameStart(member: number): number
  /** Position behind the name's closing quote. */
  nameEnd(member: number): number
  valueStart(member: number): number
  /** Position behind the value. */
  valueEnd(member: number): number
  /** The name as JSON.parse would give it. */
  name(member: number): string
  kind(member: number): ValueKind
  /** The member that JSON.parse would keep under this name, which is the last one; -1 where there is none. */
  find(name: string): number
}

/** One key that a reader asks for. */
export interface PartitionKey {
  readonly key: Key
  /** One value a level; fewer than the plan has levels where the deeper ones are not known. */
  readonly values: readonly KeyValue[]
  /** The version of the plan that gives this key: 0 for the newest. */
  readonly version: number
}

/** Decides which stored documents have the parts that were asked for. */
export interface PartsFilter {
  /** True where the plan makes the same of the document's fields as of the parts, and its time lies in the interval. */
  readonly matches: (document: object) => boolean
  /** JSON pointers of the fields that `matches` reads. */
  readonly fields: readonly string[]
  /** What is true of all documents that match, for a query: a document that does not meet it cannot match. */
  readonly conditions: readonly FieldCondition[]
  /**
   * The key that the parts hold in the members that the plan writes it into; of a hierarchical key the levels that are known.
   * Undefined where they hold none.
   */
  readonly key: PartitionKey | undefined
  /** The id of every document that matches; undefined where the parts do not tell it. */
  readonly id: string | undefined
}

/** A key plan at work: the same key for every writer and every reader. */
export interface Plan<R = unknown, D = unknown> extends UntypedPlan {
  /** Writes the key (and the id, where the plan makes it) into the record, and says what it wrote; or why it could not. */
  readonly stamp: <T extends R>(record: T, source?: Source) => StampedRecord<WithKey<T, D>> | Rejection
}

/** A key plan as it is written down: JSON that writers and readers share. `R` is the type of the records, where it is known. */
export type PlanDefinition<R = unknown> = (FlatDefinition<R> | LevelsDefinition<R>) & VersionDefinition<R>

/** A plan that cannot be used, with every mistake in it. */
export declare class PlanError extends KeystampError {
  readonly mistakes: readonly Mistake[]
  constructor(mistakes: readonly Mistake[])
}

export interface PlanOptions {
  /** Numbers from 0 up to, but not including, 1; only random suffixes ask for them. */
  readonly random?: () => number
  /** Reject records that end up without an id that Cosmos DB can store. Default: false. */
  readonly requireId?: boolean
}

/** Something that is allowed and may be regretted. */
export interface PlanWarning {
  readonly code: WarningCode
  /** JSON pointer into the plan. */
  readonly path: string
  readonly message: string
}

/** A place in a sequence of records: a Kafka offset, a line number. A whole number that a double holds exactly, so that tracking it is cheap. */
export type Position = number & {
  readonly [POSITION]: true
}

/** Why a record gets no key: the sentence, its cause and the remedy; a hint follows the place in the message. `docs/errors.md` is made from this table. */
export declare const RECORD_CODES: {
  readonly JSON_INVALID: {
    readonly sentence: 'The record is not valid JSON.'
    readonly cause: 'The bytes break the grammar of JSON (RFC 8259) or are not valid UTF-8.'
    readonly remedy: 'Mend the producer. The byte at which reading stopped stands beside the code.'
  }
  readonly JSON_NOT_OBJECT: {
    readonly sentence: 'The record is JSON, but not an object.'
    readonly cause: 'Cosmos DB stores objects; an array, a text, a number or null at the top has no members.'
    readonly remedy: 'Wrap the value into an object, or take arrays apart before.'
  }
  readonly JSON_TOO_DEEP: {
    readonly sentence: 'The record is nested deeper than 128 levels.'
    readonly cause: 'Cosmos DB stores at most 128 levels of objects and arrays.'
    readonly remedy: 'Flatten the record, or keep the deep part as text.'
  }
  readonly JSON_TOO_LARGE: {
    readonly sentence: 'The record is larger than the limit.'
    readonly cause: 'A single record is read whole; its size is limited.'
    readonly remedy: 'Split the record, or raise the limit.'
  }
  readonly CSV_COLUMNS: {
    readonly sentence: 'The record has another number of columns than the header line.'
    readonly cause: 'A line of CSV has a value too many or too few: a delimiter inside a value that is not in quotes, or another delimiter.'
    readonly remedy: 'Put values that hold the delimiter in quotes; name another delimiter with `delimiter` or `--delimiter`.'
  }
  readonly RECORD_NOT_OBJECT: {
    readonly sentence: 'The record is not an object.'
    readonly cause: 'Only an object has members to read a key from and to write it into.'
    readonly remedy: 'Hand over plain objects; bytes of JSON to `stampBytes`, `stampLines` or `stampArray`, and text as Buffer.from(text).'
  }
  readonly RECORD_UNREADABLE: {
    readonly sentence: 'Reading or writing a member of the record failed.'
    readonly cause: 'A getter or a proxy threw, the record is frozen, or it has no form in JSON: a bigint, or a reference to itself.'
    readonly remedy: 'Hand over plain data; copy a frozen record first, as `stamp` of the streams does with `copy: true`.'
  }
  readonly FIELD_MISSING: {
    readonly sentence: 'A field that the key is made of is missing.'
    readonly cause: 'The record has no such member, and the plan says nothing about that case.'
    readonly remedy: 'Give the component `"missing": { "use": "..." }`, or let the record be rejected.'
  }
  readonly FIELD_EMPTY: {
    readonly sentence: 'A field that the key is made of is empty text.'
    readonly cause: 'The field is there and holds "", and the plan says nothing about that case. An empty value of CSV is no empty text but a missing field.'
    readonly remedy: 'Give the component `"empty": { "use": "..." }`, where `{ "use": "" }` takes the empty text as is; or let the record be rejected.'
  }
  readonly FIELD_NULL: {
    readonly sentence: 'A field that the key is made of is null.'
    readonly cause: 'The record has the member, its value is null, and the plan says nothing about that case.'
    readonly remedy: 'Give the component `"null": { "use": "..." }`, or let the record be rejected.'
  }
  readonly FIELD_WRONG_TYPE: {
    readonly sentence: 'A field that the key is made of is not of the declared type.'
    readonly cause: 'Objects and arrays are not keys; a declared type takes its own values only.'
    readonly remedy: 'Correct the producer, declare another `type`, take digits as text by `"coerce": true` for integers, or give `"wrongType": { "use": "..." }`.'
  }
  readonly NUMBER_INEXACT: {
    readonly sentence: 'A number in the key is not exact.'
    readonly cause: 'A double cannot hold this integer: two different numbers would give one key. NaN and infinities are no keys either.'
    readonly remedy: 'Send it as text, as a bigint, or as plain digits in JSON bytes.'
  }
  readonly TEXT_MALFORMED: {
    readonly sentence: 'A text in the key holds half of a surrogate pair.'
    readonly cause: 'Such a text has no UTF-8 form, so two different ones would be stored as the same.'
    readonly remedy: 'Mend the producer, which cut a text inside a character.'
  }
  readonly TIME_INVALID: {
    readonly sentence: 'A field is not a time that a bucket can be made of.'
    readonly cause: 'Buckets take ISO 8601 text such as 2018-08-09T07:15:00Z, or numbers where the plan declares `"epoch"`; years 0000 to 9999.'
    readonly remedy: 'Declare `"epoch"` (`seconds`, `milliseconds` or `microseconds`) for numbers, and `"coerce": true` where they are text, as in CSV.'
  }
  readonly SOURCE_MISSING: {
    readonly sentence: 'The plan reads what surrounds a Kafka record, and that is not there.'
    readonly cause: 'A topic, partition, offset, timestamp, header or key was not handed in, is empty, or is not what the plan expects.'
    readonly remedy: 'Hand it over as the second argument, or make the key of the record’s own fields.'
  }
  readonly KEY_TOO_LONG: {
    readonly sentence: 'The key is longer than Cosmos DB takes.'
    readonly cause: 'A key value holds 2,048 bytes; of a version-1 container only the first 100 characters count.'
    readonly remedy: 'Choose shorter components, or `"tooLong": "hash"` to keep a head and a hash of the whole.'
  }
  readonly KEY_FUNCTION_FAILED: {
    readonly sentence: 'The function that makes the key threw an error.'
    readonly cause: 'It met a record that it was not written for.'
    readonly remedy: 'Let it answer with a text for every record, or go on without such records by `onError`.'
  }
  readonly KEY_NOT_TEXT: {
    readonly sentence: 'The function that makes the key did not answer with a text.'
    readonly cause: 'A key of an undefined, empty or non-text value would be found by nobody.'
    readonly remedy: 'Convert what it answers: `String(year)`; a promise cannot be awaited here.'
  }
  readonly KEY_DIFFERS: {
    readonly sentence: 'The record already carries another key.'
    readonly cause: 'The member that the plan writes is there with another value, and the plan says `"existing": "verify"`.'
    readonly remedy: 'Find out who stamped it; choose `"overwrite"` to replace it or `"keep"` to trust it.'
  }
  readonly INTO_BLOCKED: {
    readonly sentence: 'The key cannot be written at its path.'
    readonly cause: 'A parent of the path is there and is not an object.'
    readonly remedy: 'Choose another `into`, or mend the record.'
  }
  readonly ID_MISSING: {
    readonly sentence: 'The record has no id.'
    readonly cause: 'Cosmos DB identifies an item by its key and its id; the plan makes none and the record carries none.'
    readonly remedy: 'Say in the plan what the id is made of: `"id": { "from": [ ... ] }`.'
  }
  readonly ID_NOT_TEXT: {
    readonly sentence: 'The record’s id is not text, or empty.'
    readonly hint: 'Numbers are converted by a plan with "id": { "from": [{ "field": "/id" }] }; keystamp load has --id field:/id for that.'
    readonly cause: 'Cosmos DB takes only text, and not the empty one, as an id.'
    readonly remedy: 'Let the plan make it, which writes 7 as `"7"`: `"id": { "from": [{ "field": "/id" }] }`; `keystamp load` has `--id field:/id` for that.'
  }
  readonly ID_INVALID: {
    readonly sentence: 'The record’s id holds a character that Cosmos DB cannot address.'
    readonly cause: 'Of `/`, `\\`, `?` and `#` some are refused by the service and some break reading and deleting later.'
    readonly remedy: 'Let the plan make the id, which escapes them reversibly.'
  }
  readonly ID_TOO_LONG: {
    readonly sentence: 'The id is longer than 1,023 bytes.'
    readonly cause: 'Cosmos DB stores no longer ids.'
    readonly remedy: 'Make the id of shorter parts.'
  }
  readonly ID_DIFFERS: {
    readonly sentence: 'The record already carries another id.'
    readonly cause: 'The plan makes the id, the record has a different one, and the plan says `"existing": "verify"`.'
    readonly remedy: 'Choose `"overwrite"` or `"keep"` for the id, or leave its making to one place.'
  }
  readonly BOUNDARY_MISSING: {
    readonly sentence: 'The plan’s version for this record cannot be told.'
    readonly cause: 'The field that separates this version from the previous one is missing or of another type.'
    readonly remedy: 'Every record needs the boundary field of `previous`; it must never change.'
  }
  readonly KEY_NOT_DECODABLE: {
    readonly sentence: 'This key was not made by this plan.'
    readonly cause: 'Its text does not have the form that the plan gives to its keys.'
    readonly remedy: 'Check that key and plan belong together; bare keys (`"encoding": "plain"`) cannot always be taken apart.'
  }
}

export type RecordCode = keyof typeof RECORD_CODES

/** A record that gets no key: what, where and why, as a value. */
export interface Rejection {
  readonly ok: false
  readonly code: RecordCode
  /** The place in the record, as a JSON pointer; empty for the record as a whole. */
  readonly path: string
  /** Byte of the record at which reading it stopped; only where the bytes themselves are at fault. */
  readonly at: number | undefined
  /** One sentence that says what is wrong and where. Carries no value of the record. */
  readonly message: string
}

/** Tracks which records of one sequence are settled, and how far all of them are. */
export interface SettledPrefix {
  /** A record now owes an outcome. Positions ascend; gaps between them are normal. */
  readonly open: (position: Position) => void
  /** The record has its outcome. In any order, once for each opened record. */
  readonly settle: (position: Position) => void
  /** The position behind the last record before which none is open: what may be committed. Never falls. */
  readonly committable: Position
  /** How many records are open. */
  readonly openCount: number
  /** The record that holds `committable` back; `undefined` while none is open. */
  readonly oldestOpen: Position | undefined
}

/** What surrounds a record: where in Kafka it came from. Everything is optional; a plan that needs what is not there rejects the record. */
export interface Source {
  readonly topic?: string
  readonly partition?: number
  readonly offset?: bigint | number | string
  /** Milliseconds since 1970, as Kafka gives them. */
  readonly timestamp?: bigint | number | string
  readonly key?: Uint8Array | string | null
  readonly headers?: Readonly<Record<string, Uint8Array | string | readonly (Uint8Array | string)[] | undefined>>
}

/**
 * One change to JSON bytes: `before` and then `value` as JSON stand where `bytes[at, end)` stood.
 * A cut has neither, an insertion has `end === at`; several insertions at one place stand in their order.
 */
export interface Splice {
  readonly at: number
  readonly end: number
  /** JSON text, such as a comma and a name. */
  readonly before: string
  /** Not yet JSON text: quoting it while it is written spares a pass and a text. */
  readonly value: KeyValue | undefined
  /** Where `before` and `value` stand as bytes too, as long as its turn is still this one. */
  readonly ink?: Ink | undefined
  readonly turn?: number
}

/**
 * A record with its key: the source bytes and what has to change in them.
 * All positions count from the beginning of `bytes`. Nothing is copied: it holds for as long as `bytes` keeps its content.
 */
export interface StampedBytes {
  readonly ok: true
  readonly bytes: Uint8Array
  /** The record without the whitespace round it. */
  readonly start: number
  readonly end: number
  /** In order, without overlap. Outside of them every byte of the output is the input's. */
  readonly splices: readonly Splice[]
  readonly values: readonly KeyValue[]
  readonly id: string | undefined
  /** 0 for the plan itself, 1 for the first of its previous versions, and so on. */
  readonly version: number
  /** The record's own members at the top level, as they came in. */
  readonly members: MemberTable
}

/** What became of a value whose end was not known before. */
export interface StampedElement {
  readonly result: StampedBytes | Rejection
  /** Position behind the value; undefined where nobody can say: the grammar is broken, or there is no end within 1 GiB. */
  readonly end: number | undefined
}

/** A record that got its key. */
export interface StampedRecord<R> {
  readonly ok: true
  /** The record that was handed in, now with its key. */
  readonly record: R
  /** One value a level of the key. */
  readonly values: readonly KeyValue[]
  /** The id, made by the plan or carried by the record; undefined where there is none and none is required. */
  readonly id: string | undefined
  /** Which version of the plan applied: 0 for the newest. */
  readonly version: number
}

/** What a plan may regret, with the remedy. `docs/errors.md` is made from this table. */
export declare const WARNING_CODES: {
  readonly DATE_ONLY: 'A key made of time alone puts all that is written now into one logical partition, which takes 10,000 RU/s and 20 GB at most. Add a suffix or another field.'
  readonly FEW_KEYS: 'These components can give only a few different keys; the load cannot spread over more partitions than there are keys. Aim for hundreds.'
  readonly SUFFIX_BEHIND_CUT: 'A version-1 container hashes only the first 100 characters of a key. Records whose key is longer are rejected or cut; keep what stands before the suffix short, or use a version-2 container.'
  readonly MUTABLE_INPUT: 'This field sounds as if it changed over a document’s life. A changed key is another document: the old one stays. Make keys of what never changes.'
  readonly RANDOM_SUFFIX: 'A random suffix is drawn anew on a replay, which then stores a second document, and no reader can compute it. Prefer a suffix computed from a field.'
  readonly NAMED_ZONE: 'The rules of named time zones change with the time zone data of the machine, and so may the bucket of a record. Prefer UTC or a fixed offset.'
  readonly KEEPS_EXISTING: 'Keys that records already carry are kept: a reader cannot compute them from the plan.'
}

export type WarningCode = keyof typeof WARNING_CODES

/**
 * A record type with the members that a plan writes at the top of it. Of a plan that is only known as a PlanDefinition, the names of
 * these members are not known: then every member that R lacks is text.
 */
export type WithKey<R, D> = R & KeyMembers<LevelOf<D>>

/** Throws OPTION_INVALID for a part that stands in none of the fields: it would not narrow anything. */
export declare function checkParts(parts: object, fields: readonly Pointer[]): void

/**
 * Checks a key plan and makes it ready. Throws a PlanError that names every mistake at once.
 * With a record type given, a plan that names a field the type lacks does not compile, nor one that names a field that may be missing,
 * null, an object or an array, and does not say what happens then. What `stamp` returns has the key; with the record type alone given,
 * as in `createPlan<Trip>({ ... })`, any member that the type lacks is text, since the compiler does not know `into` then:
 * `createPlanFor<Trip>()({ ... })` has the exact type.
 */
export declare function createPlan<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: PlanOptions
): Plan<R, D>

/**
 * Takes the record type of a plan by itself, so that the compiler infers the definition: `createPlanFor<Trip>()({ into: '/pk', ... })`.
 * The plan is checked against the record type, and what `stamp` returns has exactly the members of the record and of the key.
 */
export declare function createPlanFor<R>(): <const D extends PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: PlanOptions
) => Plan<R, D>

/** Begins at `first`, the position that is committable before anything is settled. Memory is bounded by the highest number of open records. */
export declare function createSettledPrefix({ first }: { readonly first: Position }): SettledPrefix

/** The first eight digits of an effective partition key, or of a bound between ranges, as `partitionHashHead` gives them. */
export declare function headOf(epk: string): number

/** Recognises the errors of this package, also when two copies of it are installed. */
export declare function isKeystampError(error: unknown): error is KeystampError

/** Writes the record with its splices into `target` from `at` on, and gives the position behind it. `target` needs `joinedLength` bytes there. */
export declare function joinInto(stamped: StampedBytes, target: Uint8Array, at: number): number

/** How many bytes the record takes once its splices are in. */
export declare function joinedLength(stamped: StampedBytes): number

/** At least as many bytes as `joinInto` writes, found without reading any text: for making room in time. */
export declare function joinedLengthBound(stamped: StampedBytes): number

/** The known name that a misspelled one most probably stands for; undefined where none is similar enough. */
export declare function nearestName(name: string, known: readonly string[]): string | undefined

/** The range that holds an effective partition key: the last that does not begin behind it. The ranges ascend by `min`. */
export declare function ownerOf<
  Range extends {
    readonly min: string
  }
>(ranges: readonly Range[], epk: string): Range | undefined

/** The JSON of a plan as it stands in a file: comments are allowed. Throws the SyntaxError of `JSON.parse`. */
export declare function parsePlanText(text: string): unknown

/**
 * The effective partition key, in upper-case hex, of the values of a partition key, bit for bit as Cosmos DB computes it.
 * Fewer values than levels of a hierarchical key give the prefix that all keys below them share.
 */
export declare function partitionHash(values: readonly KeyComponent[], definition: KeyDefinition): string

/**
 * The first eight digits of the effective partition key as a number, a missing one being 0: nearly always enough to say which range a key
 * belongs to, and cheaper than the whole.
 */
export declare function partitionHashHead(values: readonly KeyComponent[], definition: KeyDefinition): number

/** The ranges of a new container with so many physical partitions, as Cosmos DB cuts them. Without a definition: version 2. */
export declare function rangesOf(count: number, definition?: KeyDefinition): KeyRange[]

/** At least as many bytes as `writeSplice` writes, found without reading any text. */
export declare function spliceLengthBound({ before, value }: Splice): number

/** A position from what Kafka clients hand out (text or bigint) or from a count. Throws beyond 2^53 - 2, which no topic reaches. */
export declare function toPosition(value: bigint | number | string): Position

/** Writes what a splice puts in the place of the source's bytes, and gives the position behind it: for whoever copies the source otherwise. */
export declare function writeSplice({ before, value, ink, turn }: Splice, target: Uint8Array, at: number): number

// Not exported; the declarations above refer to it.

interface AnyBucket extends TimeOf<string | KafkaTimestamp>, BucketRules {}

interface AnyField extends FieldPointer, FieldRules {}

/** First and last moment, both included: ISO 8601 text or milliseconds since 1970. A day without a time ends with its last millisecond. */
type Between = readonly [string | number, string | number]

type BucketByNeed<R> =
  | BucketStatingAll<Fields<R, 'all'>>
  | BucketStatingWrongType<Fields<R, 'wrongType'>>
  | BucketStatingMissingAndNull<Fields<R, 'missing and null'>>
  | BucketStatingNull<Fields<R, 'null'>>
  | BucketStatingMissing<Fields<R, 'missing'>>
  | (TimeOf<
      | FieldsWithNeed<R, 'none'>
      | NeedsMissing<FieldsWithNeed<R, 'missing' | 'missing and null' | 'all'>>
      | NeedsNull<FieldsWithNeed<R, 'null' | 'missing and null' | 'all'>>
      | NeedsWrongType<FieldsWithNeed<R, 'wrongType' | 'all'>>
      | KafkaTimestamp
    > &
      BucketRules)

/** The stretch of time that a moment lies in. */
type BucketDefinition<R = unknown> = unknown extends R ? AnyBucket : BucketByNeed<R>

interface BucketRules extends ReadingRules {
  /** `year`, `month`, `day`, `hour`, or `minute:N` where N divides 60. */
  readonly bucket: 'year' | 'month' | 'day' | 'hour' | `minute:${number}`
  /** `UTC`, an offset such as `+02:00`, or a named zone. Default: `UTC`. */
  readonly zone?: string
  /** What a number counts since 1970. Without it only ISO 8601 text is taken. */
  readonly epoch?: 'seconds' | 'milliseconds' | 'microseconds'
}

interface BucketStatingAll<Path> extends TimeOf<Path>, BucketRules {
  readonly missing: Substitute
  readonly null: Substitute
  readonly wrongType: Substitute
}

interface BucketStatingMissing<Path> extends TimeOf<Path>, BucketRules {
  readonly missing: Substitute
}

interface BucketStatingMissingAndNull<Path> extends TimeOf<Path>, BucketRules {
  readonly missing: Substitute
  readonly null: Substitute
}

interface BucketStatingNull<Path> extends TimeOf<Path>, BucketRules {
  readonly null: Substitute
}

interface BucketStatingWrongType<Path> extends TimeOf<Path>, BucketRules {
  readonly wrongType: Substitute
}

/** A plan over JSON bytes. One stamper serves one record after the other; it keeps nothing of them, but holds on to the last buffer. */
interface BytesStamper {
  /**
   * Stamps the record that fills `bytes[start, end)`, whitespace round it allowed. Reads nothing outside.
   * Accepts what JSON.parse accepts after a strict UTF-8 decode, if it is an object, at most 128 levels deep and smaller than 1 GiB.
   */
  readonly stamp: (bytes: Uint8Array, source?: Source, start?: number, end?: number) => StampedBytes | Rejection
  /**
   * Stamps the value that begins at `start`, which is no whitespace, and says where it ends; undefined when `bytes[start, limit)` holds only a part of it.
   * Demands that `bytes[limit]` can be read and is zero.
   */
  readonly stampElement: (bytes: Uint8Array, source: Source | undefined, start: number, limit: number) => StampedElement | undefined
}

/** One component of a key or an id. */
type ComponentDefinition<R = unknown> =
  | LiteralDefinition
  | IdComponentDefinition
  | KafkaDefinition
  | BucketDefinition<R>
  | FieldDefinition<R>

type ComponentType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'uuid'

interface DecodedLevel {
  /** The components in their order; empty where the key was cut. */
  readonly parts: readonly DecodedPart[]
  /** The key without its suffix. */
  readonly base: string
  /** Which of the suffixes it has: 1 to `count`. */
  readonly slot: number | undefined
  /** The number behind the suffix separator; with even labels another one than the slot. */
  readonly label: number | undefined
  /** True where the key was too long: then it holds only the head of its components and a hash of them all. */
  readonly isCut: boolean
}

interface DecodedPart {
  /** What the part was made of: a JSON pointer, or such as `kafka offset` or `literal`. */
  readonly of: string
  readonly value: KeyValue
}

interface EmptyRule {
  /** For empty text. `{ use: '' }` takes it as is. Default: `reject`. */
  readonly empty?: Substitute
}

type Entries<R> = Walk<R, [1, 1, 1, 1, 1, 1], '', never>

type EntriesAt<Path extends string, Value, Less extends readonly unknown[], Gap> =
  | readonly [Path, NeedOf<Value | Gap>]
  | (unknown extends Value ? readonly [`${Path}/${string}`, 'none'] : Walk<Inner<Value>, Less, Path, Gap | GapBelow<Value>>)

type Escaped<Name extends string> = Replaced<Replaced<Name, '~', '~0'>, '/', '~1'>

type Existing = 'verify' | 'overwrite' | 'keep'

interface FieldAt<Path> {
  /** JSON pointer into the record. */
  readonly field: Path
}

type FieldByNeed<R> =
  | FieldStatingAll<Fields<R, 'all'>>
  | FieldStatingWrongType<Fields<R, 'wrongType'>>
  | FieldStatingMissingAndNull<Fields<R, 'missing and null'>>
  | FieldStatingNull<Fields<R, 'null'>>
  | FieldStatingMissing<Fields<R, 'missing'>>
  | (FieldAt<
      | FieldsWithNeed<R, 'none'>
      | NeedsMissing<FieldsWithNeed<R, 'missing' | 'missing and null' | 'all'>>
      | NeedsNull<FieldsWithNeed<R, 'null' | 'missing and null' | 'all'>>
      | NeedsWrongType<FieldsWithNeed<R, 'wrongType' | 'all'>>
    > &
      FieldRules)

/** A field of the record. One that may be missing, null, an object or an array has to say what happens then. */
type FieldDefinition<R = unknown> = unknown extends R ? AnyField : FieldByNeed<R>

/** The policies that a field of a component needs: for values that its type allows and no key is made of. */
type FieldNeed = 'none' | 'missing' | 'null' | 'missing and null' | 'wrongType' | 'all'

/**
 * Every JSON pointer into a record of type R, down to six levels; plain `string` where the type is not known.
 * A plan that names a field its record type lacks does not compile.
 */
type FieldPath<R> = unknown extends R ? string : Entries<R>[0]

interface FieldPointer {
  /** JSON pointer such as `/deviceId` or `/vehicle/vin`. */
  readonly field: string
}

interface FieldRules extends ReadingRules {
  /** The type of the value; any other is refused. Default: text, numbers and booleans are taken by their canonical text. */
  readonly type?: ComponentType
  /** Unicode normalization of text. Default: none. */
  readonly normalize?: 'NFC'
}

interface FieldStatingAll<Path> extends FieldAt<Path>, FieldRules {
  readonly missing: Substitute
  readonly null: Substitute
  readonly wrongType: Substitute
}

interface FieldStatingMissing<Path> extends FieldAt<Path>, FieldRules {
  readonly missing: Substitute
}

interface FieldStatingMissingAndNull<Path> extends FieldAt<Path>, FieldRules {
  readonly missing: Substitute
  readonly null: Substitute
}

interface FieldStatingNull<Path> extends FieldAt<Path>, FieldRules {
  readonly null: Substitute
}

interface FieldStatingWrongType<Path> extends FieldAt<Path>, FieldRules {
  readonly wrongType: Substitute
}

type Fields<R, Need extends FieldNeed> = FieldsWithNeed<R, Need> | NeedsMissing<never>

/** The fields of R that a component may name when it states these policies; every need is one word, so that it is looked up exactly. */
type FieldsWithNeed<R, Need extends FieldNeed> = WithNeed<Entries<R>, Need>

/** A plan of one level, written without a list around it. */
interface FlatDefinition<R = unknown> extends LevelDefinition<R> {
  readonly levels?: never
}

type GapBelow<Value> = [Extract<Value, null | undefined>] extends [never] ? never : undefined

interface IdComponentDefinition {
  /** The document's id. */
  readonly id: true
}

interface IdDefinition<R = unknown> {
  /** What the id is made of, in this order. */
  readonly from: readonly ComponentDefinition<R>[]
  /** Empty: the parts stand bare, and what tells them apart is a literal between them. Default: `-`. */
  readonly separator?: string
  /** `lossless` escapes what Cosmos DB cannot store reversibly; `underscore` replaces it as Microsoft's connectors do. Default: `lossless`. */
  readonly escape?: 'lossless' | 'underscore'
  /** What to do when the record already carries another id. Default: `verify`. */
  readonly existing?: Existing
}

/** A member as it is put into a record, `,"name":"text"`, written into a buffer of its own; the next record's is written over it. */
declare class Ink {
  #private
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Where the text begins, behind its quote. */
  readonly textStart: number
  /** Position behind the closing quote. */
  end: number
  /** The text itself. */
  text: string
  /** Which of all the texts that were written here this is: tells whether it still stands here. */
  turn: number
  constructor(name: string)
  /** Begins another text, and gives where it is to be written. What stood here stands here no more, even if nothing comes of the new one. */
  open(): number
  /** Ends the text at a position; it need not be read where it is known. */
  close(at: number, text?: string): void
  /** All that is written, as an array: made once for each length, because making one costs more than copying what it shows. */
  get written(): Uint8Array
}

type Inner<Value> = Exclude<Value, Scalar | null | undefined>

type IntoOf<Level> = Level extends {
  readonly into: infer Into
}
  ? Into
  : never

type IsStrict = undefined extends string ? false : true

interface KafkaCoordinate {
  /** Where the record stands in Kafka: its topic, partition, offset or timestamp. */
  readonly kafka: 'topic' | 'partition' | 'offset' | 'timestamp'
}

type KafkaDefinition = KafkaCoordinate | KafkaKey | KafkaKeyField | KafkaHeader

interface KafkaHeader extends EmptyRule {
  /** A header of the Kafka record, as text. */
  readonly kafka: 'header'
  /** The name of the header. */
  readonly name: string
}

interface KafkaKey extends EmptyRule {
  /** The key of the Kafka record: the whole of it as text; with `field`, a field of it as JSON. */
  readonly kafka: 'key'
}

interface KafkaKeyField extends KafkaKey, FieldPointer {}

interface KafkaTimestamp {
  readonly kafka: 'timestamp'
}

type KeyMembers<Level> = unknown extends Level
  ? unknown
  : string extends IntoOf<Level>
    ? {
        [member: string]: string
      }
    : {
        [Each in Level as MemberOf<Each>]: KeyOf<Each>
      }

/** A key is text, except where the record's own value is the key, or may stay what it is. */
type KeyOf<Level> = Level extends {
  readonly existing: infer Existing
}
  ? 'keep' extends Existing
    ? KeyValue
    : MadeKey<Level>
  : MadeKey<Level>

/** One level of the key. */
interface LevelDefinition<R = unknown> {
  /** The container's key path, and where the key is written. `/id` only as the last of several levels, from `[{ id: true }]`. */
  readonly into: string
  /** What the key is made of, in this order. */
  readonly from: readonly ComponentDefinition<R>[]
  /** One ASCII punctuation character between the components. Default: `-`. */
  readonly separator?: string
  /** Spreads one base key over several. Default: none. */
  readonly suffix?: SuffixDefinition<R>
  /** What to do when the record already carries the member. Default: `verify`. */
  readonly existing?: Existing
  /** What to do with a key longer than Cosmos DB takes: reject the record, or keep a head and a hash. Default: `reject`. */
  readonly tooLong?: 'reject' | 'hash'
}

/** The levels of a plan, as a union. */
type LevelOf<D> = D extends {
  readonly levels: readonly (infer Level)[]
}
  ? Level
  : D

/** A hierarchical key: one to three levels. */
interface LevelsDefinition<R = unknown> {
  /** The levels of the key, each with its own components. */
  readonly levels: readonly LevelDefinition<R>[]
  readonly into?: never
  readonly from?: never
}

interface LiteralDefinition {
  /** A text that is the same for every record. */
  readonly literal: string
}

/** The questions of a reader: which keys a record or a set of records has, and what a key was made of. */
interface Lookups {
  /** Gives the key of the record with these parts. Throws PARTS_MISSING when the parts do not determine it. */
  readonly keyFor: (parts: object, source?: Source) => ExactKey
  /** Lists every key under which documents with these parts can lie. Throws KEYS_UNBOUNDED when there is no such list. */
  readonly keysFor: (parts: object, options?: KeysForOptions) => readonly PartitionKey[]
  /**
   * Decides which of the documents under those keys have these parts, and a time in the interval.
   * Throws OPTION_INVALID for a part that the plan does not read.
   */
  readonly filterFor: (parts: object, options?: KeysForOptions) => PartsFilter
  /** Splits a key into its parts. */
  readonly decode: (key: Key) => DecodedKey | Rejection
}

type MadeKey<Level> = Level extends {
  readonly suffix: object
}
  ? string
  : Level extends {
        readonly from: infer From extends readonly unknown[]
      }
    ? number extends From['length']
      ? KeyValue
      : From extends readonly [infer Only]
        ? OwnKey<Level, Only>
        : string
    : KeyValue

/** The member at the top that a level writes. The id is not one of them: it is what the record says of it. */
type MemberOf<Level> = IntoOf<Level> extends `/${infer Name}` ? (Name extends `${string}/${string}` | 'id' ? never : Name) : never

interface Mistake {
  /** JSON pointer into the plan. */
  readonly path: string
  readonly message: string
}

declare const NEEDED: unique symbol

type NeedOf<Value> = unknown extends Value
  ? 'none'
  : [Inner<Value>] extends [never]
    ? NeedOfScalar<Value>
    : [NeedOfScalar<Value>] extends ['none']
      ? 'wrongType'
      : 'all'

type NeedOfScalar<Value> = IsStrict extends false
  ? 'none'
  : undefined extends Value
    ? null extends Value
      ? 'missing and null'
      : 'missing'
    : null extends Value
      ? 'null'
      : 'none'

/** Shown by compilers: a component of one of these fields has to say what happens where it is missing. */
interface NeedsMissing<Path> {
  readonly [NEEDED]: ['missing', Path]
}

/** Shown by compilers: a component of one of these fields has to say what happens where it is null. */
interface NeedsNull<Path> {
  readonly [NEEDED]: ['null', Path]
}

/** Shown by compilers: a component of one of these fields has to say what happens where it is an object or an array. */
interface NeedsWrongType<Path> {
  readonly [NEEDED]: ['wrongType', Path]
}

type OwnKey<Level, Only> = Only extends {
  readonly field: IntoOf<Level>
}
  ? Only extends {
      readonly type: 'text' | 'date' | 'uuid'
    }
    ? string
    : KeyValue
  : string

declare const POSITION: unique symbol

/** A JSON pointer (RFC 6901) as the names on its way: `/a/b/0` is `['a', 'b', '0']`. */
type Pointer = readonly string[]

interface PreviousDefinition<R = unknown> {
  /** An immutable property of the record, and the value before which the older plan applies. */
  readonly until: {
    /** JSON pointer to a number or a time that never changes. */
    readonly field: FieldPath<R>
    /** The older plan applies to records below this number, or before this time. */
    readonly before: string | number
  }
  /** The older version, without `previous` of its own. */
  readonly plan: PlanDefinition<R>
}

interface ReadingRules extends Substitutes {
  /** Takes text of digits for an `integer`, and for a time with `epoch`, as CSV has it: `015` is 15. Default: false. */
  readonly coerce?: boolean
  /** JSON pointer into the Kafka key, read where the field is missing, as in a tombstone. */
  readonly orKey?: string
}

type Replaced<Text extends string, From extends string, To extends string> = Text extends `${infer Head}${From}${infer Tail}`
  ? `${Head}${To}${Replaced<Tail, From, To>}`
  : Text

/** What JSON writes as a text, a number or a boolean. */
type Scalar = string | number | bigint | boolean | Date

/** What to do with a record whose value is not one to make a key of: reject it, or use this text instead. */
type Substitute = 'reject' | SubstituteText

interface SubstituteText {
  /** The text to use instead. */
  readonly use: string
}

interface Substitutes extends EmptyRule {
  /** For a record without the field. Default: `reject`. */
  readonly missing?: Substitute
  /** For a field that is null. Default: `reject`. */
  readonly null?: Substitute
  /** For a value that the component does not take, such as an object or a text that is no time. Default: `reject`. */
  readonly wrongType?: Substitute
}

interface SuffixDefinition<R = unknown> {
  /** A field or several (hashed), `offset` (topic, partition, offset), or `random`. */
  readonly by:
    | (unknown extends R ? string : FieldsWithNeed<R, 'none'>)
    | FieldDefinition<R>
    | readonly ((unknown extends R ? string : FieldsWithNeed<R, 'none'>) | FieldDefinition<R>)[]
    | 'offset'
    | 'random'
  /** How many suffixes: 1 to 1,000,000; even labels: 1 to 10,000. */
  readonly count: number
  /** One ASCII punctuation character before the suffix. Default: `.`. */
  readonly separator?: string
  /** `even` puts one suffix into each of `count` equal slices of the hash space. Default: `numbered`. */
  readonly labels?: 'numbered' | 'even'
}

interface TimeOf<Path> {
  /** The field that holds the time, or the record's own timestamp in Kafka. */
  readonly of: Path
}

/** The members of a plan that do not depend on the type of its records. */
interface UntypedPlan extends Lookups {
  /** The same for JSON bytes, which stay as they are but for a few splices. */
  readonly stampBytes: BytesStamper['stamp']
  /** The same for JSON bytes of which only the beginning is known. */
  readonly stampElement: BytesStamper['stampElement']
  /** Names what decides keys and ids; equal for equal plans, however they are written. */
  readonly fingerprint: string
  /** The fingerprints of the older versions, newest first: what a restart may find and go on from. */
  readonly previousFingerprints: readonly string[]
  /** What is allowed and may be regretted, with the remedy. */
  readonly warnings: readonly PlanWarning[]
  /** The container's key definition that this plan stamps for. */
  readonly partitionKey: {
    readonly paths: readonly string[]
    readonly kind: 'Hash' | 'MultiHash'
    readonly version: 1 | 2
  }
}

/** What kind of value a member holds. */
type ValueKind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array'

interface VersionDefinition<R> {
  /** For editors; not read. */
  readonly $schema?: string
  /** How ids are made. Default: the record carries its own, as text. */
  readonly id?: IdDefinition<R>
  /** The hash version of the container's key definition. Default: 2. */
  readonly hashVersion?: 1 | 2
  /** `injective` never gives two different records' components one key; `plain` joins bare, for existing data. Default: `injective`. */
  readonly encoding?: 'injective' | 'plain'
  /** Older versions of this plan, newest first, each with the boundary before which it applies. */
  readonly previous?: readonly PreviousDefinition<R>[]
}

/** Pairs of a pointer and what its value needs. `Gap` is undefined below a member that may not be there. */
type Walk<R, Depth extends readonly unknown[], Base extends string, Gap> = Depth extends readonly [unknown, ...infer Less]
  ? R extends readonly (infer Element)[]
    ? EntriesAt<`${Base}/${number}`, Element, Less, Gap>
    : R extends object
      ? {
          [Name in keyof R & string]-?: EntriesAt<`${Base}/${Escaped<Name>}`, R[Name], Less, Gap>
        }[keyof R & string]
      : never
  : never

type WithNeed<Entry, Need> = Entry extends readonly [infer Path, infer Its] ? (Its extends Need ? Path : never) : never

export {}
