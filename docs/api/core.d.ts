// API report of @keystamp/core, made by npm run docs. A change here is a change of the public API.

/** A key, split into its parts. */
export interface DecodedKey {
  readonly ok: true
  readonly levels: readonly DecodedLevel[]
  /** Version of the plan whose form the key has: 0 for the newest. */
  readonly version: number
}

/**
 * Type of an argument that is a definition. `D` is inferred as the literal that is passed, but the argument is checked
 * as a PlanDefinition, so that an editor shows the documentation of each property, and a compiler names the valid
 * properties. A literal that fits the record type has already passed the check by the constraint of `D`. Its type is
 * the definition for any record, because an editor shows no documentation of a property that differs between the
 * components of the union.
 */
export type DefinitionOf<R, D> = unknown extends D
  ? D
  : [D] extends [PlanDefinition]
    ? PlanDefinition
    : PlanDefinition<R>

/**
 * Errors that stop the work: pattern of the sentence, cause and remedy. `docs/errors.md` is generated from this table.
 */
export declare const ERROR_CODES: {
  readonly PLAN_INVALID: {
    readonly sentence: 'The key plan has N mistakes, each with its path.'
    readonly cause: 'A property is unknown, missing, of the wrong type, or contradicts another property.'
    readonly remedy: 'Fix each property that the message names; for a misspelled name it suggests the closest known one.'
  }
  readonly RANDOM_MISSING: {
    readonly sentence: 'The plan has random suffixes, but no source of random numbers was passed.'
    readonly cause: '`createPlan` does not use `Math.random` by itself.'
    readonly remedy: 'Call `createPlan(plan, { random: Math.random })`, or compute the suffix from a field.'
  }
  readonly PARTS_MISSING: {
    readonly sentence: 'The key cannot be computed from these parts.'
    readonly cause: 'A component or the suffix needs a value that the parts do not have.'
    readonly remedy: 'Pass the named property, or call `keysFor` for every key that the known parts allow.'
  }
  readonly KEYS_UNBOUNDED: {
    readonly sentence: 'The known parts allow more keys than can be listed.'
    readonly cause: 'The value of a component is not known and not limited to a list, or the list of keys would be longer than its limit.'
    readonly remedy: 'Pass the named property, or a shorter interval `between` for time buckets.'
  }
  readonly HASH_INPUT_INVALID: {
    readonly sentence: 'These values cannot be hashed as a partition key.'
    readonly cause: 'A key consists of strings, finite numbers, booleans, null or undefined, with one value for each level.'
    readonly remedy: 'Compare the values with the partition key paths of the container.'
  }
  readonly RECORD_REJECTED: {
    readonly sentence: 'A record was rejected, and `onError` does not say to continue without it.'
    readonly cause: 'A stage stops at the first record that gets no key, unless `onError` is set.'
    readonly remedy: 'Fix the record at the named path, or set `onError` to `skip`, a side stream or a function.'
  }
  readonly REJECTED_TOO_MANY: {
    readonly sentence: 'More records were rejected than `maxRejected` allows.'
    readonly cause: 'With this number of rejections, the mistake is probably in the plan or in the input, not in single records.'
    readonly remedy: 'Read the first reasons in the message, fix the plan or the input, or raise `maxRejected`.'
  }
  readonly INPUT_INVALID: {
    readonly sentence: 'The input does not have the expected form.'
    readonly cause: 'The input is not a JSON array, ends before it is complete, or has damaged compressed data.'
    readonly remedy: 'Check the file at the named byte; use `stampLines` for lines of JSON and `stampArray` for an array.'
  }
  readonly INPUT_UNREADABLE: {
    readonly sentence: 'An input cannot be read.'
    readonly cause: 'The file does not exist, the permission to read is missing, or the device failed.'
    readonly remedy: 'Check the name and the permissions.'
  }
  readonly OUTPUT_UNWRITABLE: {
    readonly sentence: 'The output cannot be written.'
    readonly cause: 'The folder does not exist, the permission to write is missing, or the disk is full.'
    readonly remedy: 'Free disk space, or choose another folder. No incomplete file is left under the name of the output.'
  }
  readonly OPTION_INVALID: {
    readonly sentence: 'An option is unknown or has an invalid value.'
    readonly cause: 'A name is misspelled or a value is of the wrong type; unknown options are never ignored.'
    readonly remedy: 'Fix the option that the message names.'
  }
  readonly OPERATION_INVALID: {
    readonly sentence: 'The argument is not an operation that the writer can send.'
    readonly cause: 'A mistake in the calling program: a record instead of an operation, a missing or misspelled property, or a value of the wrong type.'
    readonly remedy: 'Pass `{ kind: "upsert", record }`, or call `writer.upsert(record)`; the message names the mistake.'
  }
  readonly COSMOS_UNAUTHORIZED: {
    readonly sentence: 'Cosmos DB rejected the credentials.'
    readonly cause: 'The key or token is wrong or has expired, a role assignment is missing, the firewall blocks this address, or the clock of this machine is more than 15 minutes off.'
    readonly remedy: 'Check the key or the role assignment, the firewall and the clock of this machine.'
  }
  readonly COSMOS_UNAVAILABLE: {
    readonly sentence: 'Cosmos DB did not respond, or kept throttling, until the timeout.'
    readonly cause: 'The endpoint is wrong, the network fails, or the service has an outage.'
    readonly remedy: 'Check the endpoint and the network; then try again.'
  }
  readonly COSMOS_REFUSED: {
    readonly sentence: 'Cosmos DB rejected a request, and retrying cannot help.'
    readonly cause: 'The request is not valid for this container.'
    readonly remedy: 'Read the status code in the message; report it with the activity id if the request looks valid.'
  }
  readonly CONTAINER_MISSING: {
    readonly sentence: 'There is no such database or container.'
    readonly cause: 'A name is misspelled, or the container was deleted.'
    readonly remedy: 'Check both names; create the container first.'
  }
  readonly CONTAINER_MISMATCH: {
    readonly sentence: 'The container does not match the key plan.'
    readonly cause: 'Its partition key paths, their number or its hash version differ from those of the plan.'
    readonly remedy: 'Change `into`, `levels` or `hashVersion` of the plan as the message says, or name the right container.'
  }
  readonly DOCUMENTS_UNMATCHED: {
    readonly sentence: 'The documents of a container do not have the fields by which two containers are compared.'
    readonly cause: 'A copy lacks the fields of the former key, or `by` names other fields than the documents have.'
    readonly remedy: 'Name fields that identify a document in both containers with `by`.'
  }
  readonly CONTAINER_RECREATED: {
    readonly sentence: 'The container was deleted and created again while records were written to it.'
    readonly cause: 'The container has another resource id: it is a new container with the same name, without the documents of the old container.'
    readonly remedy: 'Find out which program or person deleted it. Restart to write to the new container, and write the earlier records again from the source.'
  }
  readonly READER_CLOSED: {
    readonly sentence: 'The reader is closed.'
    readonly cause: 'A method was called after `close()`, or `close()` was called during a read.'
    readonly remedy: 'Create another reader, and close it after its results have arrived.'
  }
  readonly WRITER_CLOSED: {
    readonly sentence: 'The writer is closed.'
    readonly cause: '`close()` was called, or the error in `cause` stopped the writer. A write that was still in flight at the deadline may have been applied.'
    readonly remedy: 'Create another writer and repeat the writes that have no outcome.'
  }
  readonly WRITE_FENCED: {
    readonly sentence: 'The caller lost ownership before the write was sent.'
    readonly cause: 'The permit that was passed with the write was revoked: in a sink, the partition was assigned to another consumer.'
    readonly remedy: 'No action is needed: the new owner writes the record.'
  }
  readonly BUDGET_UNREACHABLE: {
    readonly sentence: 'The shared RU budget cannot be reached.'
    readonly cause: 'Redis does not answer at the given address, or the package `ioredis` is not installed.'
    readonly remedy: 'Check the address and install `ioredis`, version 5; or configure a fixed RU budget for each process.'
  }
  readonly CHECKPOINT_INVALID: {
    readonly sentence: 'The checkpoint does not belong to this load.'
    readonly cause: 'The checkpoint was written for other inputs, another plan or another container; an input has changed in the part that is already loaded; or the file is damaged or not a checkpoint.'
    readonly remedy: 'Restore the input that the message names, or pass the checkpoint of this load; delete the checkpoint to start from the beginning.'
  }
  readonly JOURNAL_INVALID: {
    readonly sentence: 'The journal of a move or of a replay cannot be used.'
    readonly cause: 'The journal belongs to a move of other containers or with another plan, or to a replay of another sink or container; or one of its files is damaged, of a newer version, or another file.'
    readonly remedy: 'Name the journal of this move or replay, or an empty folder for another one. Restore a damaged file from a copy of the folder.'
  }
  readonly JOURNAL_IN_USE: {
    readonly sentence: 'Another process has the journal open.'
    readonly cause: 'The same move already runs on this machine.'
    readonly remedy: 'Talk to the running process with `keystamp rekey status --journal`, or stop the process that the message names.'
  }
  readonly CONFIG_INVALID: {
    readonly sentence: 'The configuration has N mistakes, each with its line.'
    readonly cause: 'A key is unknown, missing, of the wrong type, or contradicts another key.'
    readonly remedy: 'Fix each key that the message names; for a misspelled name it suggests the closest known one.'
  }
  readonly KAFKA_UNAVAILABLE: {
    readonly sentence: 'Kafka cannot be reached.'
    readonly cause: 'The address of the brokers is wrong, or the network or a broker fails.'
    readonly remedy: 'Check `kafka.brokers` and the network.'
  }
  readonly KAFKA_UNAUTHORIZED: {
    readonly sentence: 'Kafka rejected the credentials, or a certificate is not trusted.'
    readonly cause: 'The user name, password or token is wrong, an ACL is missing, or a certificate cannot be verified.'
    readonly remedy: 'Check `kafka.sasl`, `kafka.tls` and the ACLs of topics and consumer group.'
  }
  readonly TOPIC_MISSING: {
    readonly sentence: 'The topic does not exist.'
    readonly cause: 'A name is misspelled, a pattern matches nothing, or the topic was deleted.'
    readonly remedy: 'Check `kafka.topics`; create the topic first.'
  }
  readonly OFFSETS_LOST: {
    readonly sentence: 'The committed offset is out of range: the topic no longer has the records after it.'
    readonly cause: 'Retention removed records before they were read, or the topic was deleted and created again.'
    readonly remedy: 'Find out which records are missing; then reset the offsets with `kafka-consumer-groups --reset-offsets`, or set `kafka.lostOffsets: earliest`.'
  }
  readonly PLAN_CHANGED: {
    readonly sentence: 'The committed offset was stored by a sink with another key plan.'
    readonly cause: 'Records before this offset have keys and ids that this plan does not make: they would be stored a second time, or would not be found.'
    readonly remedy: 'List the older plan under `previous`, use another consumer group, or set `acceptPlanChange: true` to continue.'
  }
  readonly REJECTS_FAILED: {
    readonly sentence: 'Rejected records cannot be written to the dead-letter topic or file.'
    readonly cause: 'The dead-letter topic does not exist, an ACL forbids writing, or the record is larger than the topic allows.'
    readonly remedy: 'Create the topic, raise its `max.message.bytes`, or set `rejects.tooLarge`.'
  }
  readonly TOLERANCE_EXCEEDED: {
    readonly sentence: 'More records were rejected than the configuration tolerates.'
    readonly cause: 'With this number of rejections, the mistake is probably in the configuration or in the producer, not in single records.'
    readonly remedy: 'Read the first reasons in the message, fix what they name, or raise `rejects.tolerance`.'
  }
  readonly SINK_STALLED: {
    readonly sentence: 'A record has had no outcome for too long, and no component reports a reason to wait.'
    readonly cause: 'A defect in Keystamp, or a process that gets no processor time.'
    readonly remedy: 'Restart the sink: it reads all uncommitted records again. Report the error with the metrics of that time.'
  }
  readonly SHUTDOWN_TIMEOUT: {
    readonly sentence: 'The shutdown took longer than the configured time.'
    readonly cause: 'Cosmos DB or the dead-letter topic did not respond while the sink was draining.'
    readonly remedy: 'Nothing is lost: uncommitted records are read again. Raise `shutdownTimeout` if this happens often.'
  }
  readonly INVARIANT_BROKEN: {
    readonly sentence: 'An internal invariant of Keystamp does not hold.'
    readonly cause: 'A defect in Keystamp, or a caller that broke the documented order of calls.'
    readonly remedy: 'Stop, keep the data, and report the error with the code of the caller.'
  }
}

export type ErrorCode = keyof typeof ERROR_CODES

/** Exact key of a record, and its keys under older versions of the plan if the parts do not determine the version. */
export interface ExactKey extends PartitionKey {
  /**
   * Keys under older versions of the plan, newest first; empty if the parts contain the boundary field, or if there are
   * no older versions.
   */
  readonly older: readonly PartitionKey[]
}

/** Condition that a field of every matching document meets. */
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

/**
 * A key in the form that Cosmos DB clients accept: the value of a key of one level, or the values of a hierarchical
 * key.
 */
export type Key = KeyValue | readonly KeyValue[]

/** One component of a partition key; `undefined` if the document does not have the property. */
export type KeyComponent = string | number | boolean | null | undefined

/** How a container hashes its partition key: the `partitionKey` of the container's JSON. */
export interface KeyDefinition {
  /** Default: Hash. */
  readonly kind?: 'Hash' | 'MultiHash'
  /** Default: 1, as in Cosmos DB. MultiHash always uses version 2. */
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

/** Options that restrict the keys if parts are unknown. */
export interface KeysForOptions {
  /**
   * First and last moment, for time buckets whose field is not in the parts. If the last moment is a day without a
   * time, the whole day is included.
   */
  readonly between?: Between
  /** Kafka record, for plans that read it. */
  readonly source?: Source
}

/**
 * Error that stops the work, such as an invalid plan. A rejection of one record is a value instead, of type
 * `Rejection`.
 */
export declare class KeystampError extends Error {
  /** One of ERROR_CODES; or one of RECORD_CODES if the rejection of a record is thrown. */
  readonly code: ErrorCode | (string & {})
  /**
   * Whether the same call can succeed later. Always set, because clients such as kafkajs retry errors without this
   * property.
   */
  readonly retriable: boolean
  constructor(
    code: ErrorCode,
    message: string,
    options?: {
      cause?: unknown
    }
  )
}

/** One partition key for a reader. */
export interface PartitionKey {
  readonly key: Key
  /** One value for each level, without the deeper levels if they are unknown. */
  readonly values: readonly KeyValue[]
  /** Version of the plan that makes this key: 0 for the newest. */
  readonly version: number
}

/** Filter for the stored documents that have the requested parts. */
export interface PartsFilter {
  /**
   * Returns true if the plan treats the fields of the document as equal to the parts, and the document's time is in the
   * interval.
   */
  readonly matches: (document: object) => boolean
  /** JSON pointers of the fields that `matches` reads. */
  readonly fields: readonly string[]
  /** Conditions that all matching documents meet, for a query. A document that meets them does not always match. */
  readonly conditions: readonly FieldCondition[]
  /**
   * The key, if the parts contain the properties into which the plan writes it; of a hierarchical key, the known
   * levels. Undefined if the parts contain none of these properties.
   */
  readonly key: PartitionKey | undefined
  /** The id of all matching documents; undefined if the parts do not determine it. */
  readonly id: string | undefined
}

/** A compiled key plan. Writers and readers with the same plan compute the same keys. */
export interface Plan<R = unknown, D = unknown> extends UntypedPlan {
  /**
   * Writes the key into the record, and the id if the plan makes it. Returns the record with its key, or a rejection.
   */
  readonly stamp: <T extends R>(record: T, source?: Source) => StampedRecord<WithKey<T, D>> | Rejection
}

/** A key plan as JSON, which writers and readers share. `R` is the type of the records, if it is known. */
export type PlanDefinition<R = unknown> = (FlatDefinition<R> | LevelsDefinition<R>) & VersionDefinition<R>

/** Error for an invalid plan, with all its mistakes. */
export declare class PlanError extends KeystampError {
  readonly mistakes: readonly Mistake[]
  constructor(mistakes: readonly Mistake[])
}

/** Options of `createPlan`. */
export interface PlanOptions {
  /**
   * Source of random numbers from 0 up to, but not including, 1, such as `Math.random`. Only random suffixes need it.
   */
  readonly random?: () => number
  /** Whether to reject records without an id that Cosmos DB can store. Default: false. */
  readonly requireId?: boolean
}

/** A part of a plan that is allowed but risky. */
export interface PlanWarning {
  readonly code: WarningCode
  /** JSON pointer into the plan. */
  readonly path: string
  readonly message: string
}

/**
 * Number of a record in a sequence: a Kafka offset or a line number. A whole number that a double holds exactly, so
 * that tracking it is cheap.
 */
export type Position = number & {
  readonly [POSITION]: true
}

/**
 * Reasons why a record gets no key: sentence, cause and remedy. Some have a hint, which follows the path in the
 * message. `docs/errors.md` is generated from this table.
 */
export declare const RECORD_CODES: {
  readonly JSON_INVALID: {
    readonly sentence: 'The record is not valid JSON.'
    readonly cause: 'The bytes break the grammar of JSON (RFC 8259) or are not valid UTF-8.'
    readonly remedy: 'Fix the producer. The message names the byte at which reading stopped.'
  }
  readonly JSON_NOT_OBJECT: {
    readonly sentence: 'The record is JSON, but not an object.'
    readonly cause: 'Cosmos DB stores objects; an array, a string, a number or null has no properties.'
    readonly remedy: 'Wrap the value into an object, or split arrays into their elements first.'
  }
  readonly JSON_TOO_DEEP: {
    readonly sentence: 'The record is nested deeper than 128 levels.'
    readonly cause: 'Cosmos DB stores at most 128 levels of objects and arrays.'
    readonly remedy: 'Flatten the record, or store the deep part as a string.'
  }
  readonly JSON_TOO_LARGE: {
    readonly sentence: 'The record is larger than the limit.'
    readonly cause: 'A record is read as a whole, so its size is limited.'
    readonly remedy: 'Split the record, or raise the limit.'
  }
  readonly CSV_COLUMNS: {
    readonly sentence: 'The record has another number of columns than the header line.'
    readonly cause: 'A line of CSV has too many or too few values: a value without quotes contains the delimiter, or the file has another delimiter.'
    readonly remedy: 'Put values that contain the delimiter in quotes; set another delimiter with `delimiter` or `--delimiter`.'
  }
  readonly RECORD_NOT_OBJECT: {
    readonly sentence: 'The record is not an object.'
    readonly cause: 'Only an object has properties to read a key from and to write it to.'
    readonly remedy: 'Pass plain objects. For JSON bytes, use `stampBytes`, `stampLines` or `stampArray`; convert a string with Buffer.from(text).'
  }
  readonly RECORD_UNREADABLE: {
    readonly sentence: 'Reading or writing a property of the record failed.'
    readonly cause: 'A getter or a proxy threw, the record is frozen, or it cannot be written as JSON, because it contains a bigint or a reference to itself.'
    readonly remedy: 'Pass plain data; copy a frozen record first, as `stamp` of the streams does with `copy: true`.'
  }
  readonly FIELD_MISSING: {
    readonly sentence: 'A field of the key is missing.'
    readonly cause: 'The record does not have this property, and the plan has no `missing` rule for it.'
    readonly remedy: 'Add `"missing": { "use": "..." }` to the component, or let the record be rejected.'
  }
  readonly FIELD_EMPTY: {
    readonly sentence: 'A field of the key is an empty string.'
    readonly cause: 'The value of the field is "", and the plan has no `empty` rule for it. An empty value of CSV is a missing field, not an empty string.'
    readonly remedy: 'Add `"empty": { "use": "..." }` to the component (`{ "use": "" }` uses the empty string itself), or let the record be rejected.'
  }
  readonly FIELD_NULL: {
    readonly sentence: 'A field of the key is null.'
    readonly cause: 'The value of the field is null, and the plan has no `null` rule for it.'
    readonly remedy: 'Add `"null": { "use": "..." }` to the component, or let the record be rejected.'
  }
  readonly FIELD_WRONG_TYPE: {
    readonly sentence: 'A field of the key is not of the declared type.'
    readonly cause: 'Objects and arrays cannot be part of a key; a declared `type` accepts only values of that type.'
    readonly remedy: 'Fix the producer, declare another `type`, accept strings of digits as integers with `"coerce": true`, or add `"wrongType": { "use": "..." }`.'
  }
  readonly NUMBER_INEXACT: {
    readonly sentence: 'A number in the key is not exact.'
    readonly cause: 'A double cannot hold this integer: two different numbers would have the same key. NaN and infinite numbers cannot be part of a key either.'
    readonly remedy: 'Send it as a string, as a bigint, or as plain digits in JSON bytes.'
  }
  readonly TEXT_MALFORMED: {
    readonly sentence: 'A string in the key contains half of a surrogate pair.'
    readonly cause: 'Such a string has no UTF-8 form, so two different strings would be stored as the same string.'
    readonly remedy: 'Fix the producer, which cut a string inside a character.'
  }
  readonly TIME_INVALID: {
    readonly sentence: 'A field is not a valid time for a bucket.'
    readonly cause: 'Buckets accept ISO 8601 strings such as 2018-08-09T07:15:00Z, and numbers if the plan declares `"epoch"`; years 0000 to 9999.'
    readonly remedy: 'Declare `"epoch"` (`seconds`, `milliseconds` or `microseconds`) for numbers, and `"coerce": true` if the numbers are strings, as in CSV.'
  }
  readonly SOURCE_MISSING: {
    readonly sentence: 'The plan reads a coordinate, a header or the key of the Kafka record, which is missing.'
    readonly cause: 'A topic, partition, offset, timestamp, header or key was not passed, is empty, or is not of the form that the plan expects.'
    readonly remedy: 'Pass the missing value in the second argument, or make the key from fields of the record.'
  }
  readonly KEY_TOO_LONG: {
    readonly sentence: 'The key is longer than Cosmos DB allows.'
    readonly cause: 'A key value has at most 2,048 bytes; a container with hash version 1 hashes only the first 100 characters.'
    readonly remedy: 'Choose shorter components, or `"tooLong": "hash"` to keep the beginning and a hash of the whole key.'
  }
  readonly KEY_FUNCTION_FAILED: {
    readonly sentence: 'The function that makes the key threw an error.'
    readonly cause: 'The record has a form that the function does not handle.'
    readonly remedy: 'Make it return a string for every record, or continue without such records with `onError`.'
  }
  readonly KEY_NOT_TEXT: {
    readonly sentence: 'The function that makes the key did not return a string.'
    readonly cause: 'No reader could compute a key that is undefined, empty or not a string.'
    readonly remedy: 'Return a string, such as `String(year)`, and not a promise.'
  }
  readonly KEY_DIFFERS: {
    readonly sentence: 'The record already has another key.'
    readonly cause: 'The property that the plan writes exists with another value, and the plan says `"existing": "verify"`.'
    readonly remedy: 'Find out which program wrote this key; choose `"overwrite"` to replace the key or `"keep"` to trust it.'
  }
  readonly INTO_BLOCKED: {
    readonly sentence: 'The key cannot be written at its path.'
    readonly cause: 'A parent of the path exists and is not an object.'
    readonly remedy: 'Choose another `into`, or fix the record.'
  }
  readonly ID_MISSING: {
    readonly sentence: 'The record has no id.'
    readonly cause: 'Cosmos DB identifies an item by its key and its id; the plan does not make an id and the record has none.'
    readonly remedy: 'Define the components of the id in the plan: `"id": { "from": [ ... ] }`.'
  }
  readonly ID_NOT_TEXT: {
    readonly sentence: 'The id of the record is not a string, or is empty.'
    readonly hint: 'To convert numbers, use a plan with "id": { "from": [{ "field": "/id" }] }, or the option --id field:/id of keystamp load.'
    readonly cause: 'Cosmos DB accepts only strings that are not empty as an id.'
    readonly remedy: 'Let the plan make the id, which writes 7 as `"7"`: `"id": { "from": [{ "field": "/id" }] }`. With `keystamp load`, use `--id field:/id`.'
  }
  readonly ID_INVALID: {
    readonly sentence: 'The id of the record contains a character that Cosmos DB cannot address.'
    readonly cause: 'Cosmos DB rejects some of `/`, `\\`, `?` and `#`; others make the item impossible to read or delete later.'
    readonly remedy: 'Let the plan make the id: it escapes these characters reversibly.'
  }
  readonly ID_TOO_LONG: {
    readonly sentence: 'The id is longer than 1,023 bytes.'
    readonly cause: 'Cosmos DB allows ids of at most 1,023 bytes.'
    readonly remedy: 'Make the id of shorter components.'
  }
  readonly ID_DIFFERS: {
    readonly sentence: 'The record already has another id.'
    readonly cause: 'The plan makes the id, the record has a different id, and the plan says `"existing": "verify"`.'
    readonly remedy: 'Choose `"overwrite"` or `"keep"` for the id, or let only one program make the id.'
  }
  readonly BOUNDARY_MISSING: {
    readonly sentence: 'The version of the plan for this record cannot be determined.'
    readonly cause: 'The field that separates this version from the previous one is missing or of another type.'
    readonly remedy: 'Every record needs the boundary field of `previous`, whose value must never change.'
  }
  readonly OPERATION_MISSING: {
    readonly sentence: 'The record does not say which operation it describes.'
    readonly cause: 'Change data of Debezium has an `op`, and this record has none: it is a plain row, a heartbeat, a schema change or a transaction marker. With `write.operation`, the field or the header is missing.'
    readonly remedy: 'Read only topics with changes of rows; for plain rows, choose another format, such as `json`. For other change data, name the right field or header under `write.operation`.'
  }
  readonly OPERATION_UNKNOWN: {
    readonly sentence: 'The operation of the record is not known.'
    readonly cause: 'An `op` of Debezium is `c`, `r`, `u`, `d`, `t` or `m`; `write.operation.values` lists all others.'
    readonly remedy: 'Fix the producer, or add the value to `write.operation.values`.'
  }
  readonly AFTER_MISSING: {
    readonly sentence: 'The change has no row to store.'
    readonly cause: 'The `after` of the create, read or update is null or missing. MongoDB leaves it out of updates in the capture mode `change_streams`, and if the document was deleted meanwhile.'
    readonly remedy: 'For MongoDB, set `capture.mode` to `change_streams_update_full` or `change_streams_update_full_with_pre_image`.'
  }
  readonly BEFORE_MISSING: {
    readonly sentence: 'The delete does not say which document to delete.'
    readonly cause: 'The `before` of the delete is null or missing, and the Kafka key alone does not give partition key and id.'
    readonly remedy: 'Make the database write previous rows (Postgres: REPLICA IDENTITY FULL; MongoDB: a capture mode with pre-images), or make key and id of the Kafka key with `orKey`.'
  }
  readonly VALUE_UNAVAILABLE: {
    readonly sentence: 'The row contains a placeholder instead of a value that has not changed.'
    readonly cause: 'Debezium does not know large values that an update did not change (TOAST of Postgres, LOB of Oracle), and writes `__debezium_unavailable_value`. The stored document would lose the value.'
    readonly remedy: 'For Postgres, set REPLICA IDENTITY FULL. `unavailable: store` of the format stores the placeholder.'
  }
  readonly TRUNCATE_REJECTED: {
    readonly sentence: 'The change says that a whole table was emptied.'
    readonly cause: 'A change with the `op` `t` names no rows, so the documents that it concerns are not known.'
    readonly remedy: 'Delete the documents of the table yourself, and set `truncate: ignore` for the format.'
  }
  readonly MESSAGE_REJECTED: {
    readonly sentence: 'The change is a message, which has no row.'
    readonly cause: 'A change with the `op` `m` is a logical decoding message, and the configuration has `message: reject`.'
    readonly remedy: 'Set `message: ignore` for the format, or read other topics.'
  }
  readonly KEY_NOT_DECODABLE: {
    readonly sentence: 'This key was not made by this plan.'
    readonly cause: 'The key does not have the form of the keys of this plan.'
    readonly remedy: 'Check that key and plan belong together; keys with `"encoding": "plain"` cannot always be split.'
  }
}

export type RecordCode = keyof typeof RECORD_CODES

/** Rejection of one record, as a value: code, path and message. */
export interface Rejection {
  readonly ok: false
  readonly code: RecordCode
  /** JSON pointer into the record; empty for the record as a whole. */
  readonly path: string
  /** Byte of the record at which reading stopped; only for invalid JSON. */
  readonly at: number | undefined
  /** Sentence with the mistake and its path, without values of the record. */
  readonly message: string
}

/** Tracks the records of one sequence that have an outcome, and the position up to which all of them have one. */
export interface SettledPrefix {
  /** Adds a record without an outcome. Positions must ascend; gaps between them are normal. */
  readonly open: (position: Position) => void
  /** Marks an open record as settled: it has an outcome. Records may be settled in any order, each only once. */
  readonly settle: (position: Position) => void
  /** Position that may be committed: no record before it is open. Never decreases. */
  readonly committable: Position
  /** Number of open records. */
  readonly openCount: number
  /** Oldest open record, which limits `committable`; `undefined` while none is open. */
  readonly oldestOpen: Position | undefined
}

/**
 * Kafka record that a value came from: coordinates, key and headers. All properties are optional; a plan that needs a
 * missing one rejects the record.
 */
export interface Source {
  readonly topic?: string
  readonly partition?: number
  readonly offset?: bigint | number | string
  /** Milliseconds since 1970, as in Kafka. */
  readonly timestamp?: bigint | number | string
  readonly key?: Uint8Array | string | null
  readonly headers?: Readonly<Record<string, Uint8Array | string | readonly (Uint8Array | string)[] | undefined>>
}

/**
 * One change of JSON bytes: `before`, and then `value` as JSON, replace `bytes[at, end)`. A deletion has an empty
 * `before` and no `value`. An insertion has `end === at`; several insertions at one position are written in their
 * order.
 */
export interface Splice {
  readonly at: number
  readonly end: number
  /** JSON, such as a comma and a name with its colon. */
  readonly before: string
  /** The value, not yet converted to JSON: converting it while it is written saves a pass and a string. */
  readonly value: KeyValue | undefined
}

/**
 * A record with its key: the bytes of the source, and the changes to make in them. All positions count from the
 * beginning of `bytes`. Nothing is copied, so this is valid only as long as the content of `bytes` does not change.
 */
export interface StampedBytes {
  readonly ok: true
  readonly bytes: Uint8Array
  /** First byte of the record, without the whitespace around it. */
  readonly start: number
  readonly end: number
  /** The changes, in order and without overlap. All other bytes of the output are those of the input. */
  readonly splices: readonly Splice[]
  /** One value for each level of the key. */
  readonly values: readonly KeyValue[]
  /** The id, made by the plan or contained in the record; undefined if there is none and none is required. */
  readonly id: string | undefined
  /** Version of the plan that applied: 0 for the newest, 1 for the first one in `previous`. */
  readonly version: number
}

/** Result for a value whose end was not known. */
export interface StampedElement {
  readonly result: StampedBytes | Rejection
  /** Position after the value; undefined if it cannot be found: the JSON is invalid, or has no end within 1 GiB. */
  readonly end: number | undefined
}

/** A record with its key. */
export interface StampedRecord<R> {
  readonly ok: true
  /** The record that was passed, now with its key. */
  readonly record: R
  /** One value for each level of the key. */
  readonly values: readonly KeyValue[]
  /** The id, made by the plan or contained in the record; undefined if there is none and none is required. */
  readonly id: string | undefined
  /** Version of the plan that applied: 0 for the newest. */
  readonly version: number
}

/** Warnings about plans, with the remedy. `docs/errors.md` is generated from this table. */
export declare const WARNING_CODES: {
  readonly DATE_ONLY: 'A key that consists only of a time puts all current writes into one logical partition, which has at most 10,000 RU/s and 20 GB. Add a suffix or another field.'
  readonly FEW_KEYS: 'These components make only a few different keys, and the load cannot spread over more partitions than there are keys. Aim for hundreds of keys.'
  readonly SUFFIX_BEHIND_CUT: 'A version-1 container hashes only the first 100 characters of a key. Records whose key is longer are rejected or cut. Keep the key before the suffix short, or use a container with hash version 2.'
  readonly MUTABLE_INPUT: 'The name of this field suggests that its value changes. With another key, the document is stored a second time, and the old document stays. Make keys of values that never change.'
  readonly RANDOM_SUFFIX: 'A replay makes another random suffix and stores a second document, and no reader can compute the key. Prefer a suffix that is computed from a field.'
  readonly NAMED_ZONE: 'The rules of named time zones change with the time zone data of the machine, and then the bucket of a record can change, too. Prefer UTC or a fixed offset.'
  readonly KEEPS_EXISTING: 'The plan keeps keys that records already have: a reader cannot compute these keys from the plan.'
}

export type WarningCode = keyof typeof WARNING_CODES

/**
 * A record type with the top-level properties that a plan writes. If the type of the plan is only PlanDefinition, the
 * names of these properties are not known: every property that R does not have is a string.
 */
export type WithKey<R, D> = R & KeyMembers<LevelOf<D>>

/** Throws OPTION_INVALID for a part that is not one of the fields, since it would have no effect. */
export declare function checkParts(parts: object, fields: readonly Pointer[]): void

/**
 * Checks and compiles a key plan. Throws a PlanError that names every mistake. With a record type, the compiler rejects
 * a field that the type does not have. It also rejects a field that may be missing, null, an object or an array, if the
 * plan has no rule for that case. The type of the result of `stamp` includes the key. With `createPlan<Trip>({ ... })`
 * the compiler does not know `into`: every property that the record type does not have is a string.
 * `createPlanFor<Trip>()({ ... })` has the exact type.
 */
export declare function createPlan<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: PlanOptions
): Plan<R, D>

/**
 * Like `createPlan`, but takes only the record type, so that the compiler infers the type of the definition:
 * `createPlanFor<Trip>()({ into: '/pk', ... })`. The compiler checks the plan against the record type, and the result
 * of `stamp` has exactly the properties of the record and of the key.
 */
export declare function createPlanFor<R>(): <const D extends PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: PlanOptions
) => Plan<R, D>

/**
 * Starts at `first`, which is committable before any record is settled. Memory is bounded by the highest number of open
 * records.
 */
export declare function createSettledPrefix({ first }: { readonly first: Position }): SettledPrefix

/**
 * The first eight digits of an effective partition key, or of the boundary of a range, as the number that
 * `partitionHashHead` returns.
 */
export declare function headOf(epk: string): number

/** Recognizes the errors of this package, even if two copies of the package are installed. */
export declare function isKeystampError(error: unknown): error is KeystampError

/**
 * Writes the record with its splices into `target` from `at` on. Returns the position after the record. `target` must
 * have room for `joinedLength` bytes at this position.
 */
export declare function joinInto(stamped: StampedBytes, target: Uint8Array, at: number): number

/** Length of the record in bytes after its splices are applied. */
export declare function joinedLength(stamped: StampedBytes): number

/** Upper bound for the bytes that `joinInto` writes, computed without reading strings. */
export declare function joinedLengthBound(stamped: StampedBytes): number

/** Returns the known name that is most similar to a misspelled one; undefined if none is similar enough. */
export declare function nearestName(name: string, known: readonly string[]): string | undefined

/**
 * Range that contains an effective partition key: the last range that does not begin after the key. The ranges must
 * ascend by `min`.
 */
export declare function ownerOf<
  Range extends {
    readonly min: string
  }
>(ranges: readonly Range[], epk: string): Range | undefined

/**
 * Parses the JSON of a plan file, which may have comments and a byte order mark. Throws the SyntaxError of
 * `JSON.parse`.
 */
export declare function parsePlanText(text: string): unknown

/**
 * Effective partition key of the values of a partition key, in upper-case hex, bit for bit as Cosmos DB computes it.
 * For the first levels of a hierarchical key, it is the prefix of all keys that begin with these values.
 */
export declare function partitionHash(values: readonly KeyComponent[], definition: KeyDefinition): string

/**
 * First eight digits of the effective partition key as a number, padded with 0. They nearly always suffice to find the
 * range of a key, and cost less than the whole key.
 */
export declare function partitionHashHead(values: readonly KeyComponent[], definition: KeyDefinition): number

/**
 * Ranges of a new container with `count` physical partitions, as Cosmos DB divides the hash space. Default definition:
 * version 2.
 */
export declare function rangesOf(count: number, definition?: KeyDefinition): KeyRange[]

/** Upper bound for the bytes that `writeSplice` writes, computed without reading strings. */
export declare function spliceLengthBound({ before, value }: Splice): number

/**
 * Converts the offset of a Kafka client (string or bigint) or a count. Throws INVARIANT_BROKEN beyond 2^53 - 2, which
 * no topic reaches.
 */
export declare function toPosition(value: bigint | number | string): Position

/**
 * Writes the bytes that a splice adds, and returns the position after them. For callers that copy the bytes of the
 * source themselves.
 */
export declare function writeSplice(splice: Splice, target: Uint8Array, at: number): number

// Not exported; the declarations above refer to it.

interface AnyBucket extends TimeOf<string | KafkaTimestamp>, BucketRules {}

interface AnyField extends FieldPointer, FieldRules {}

/**
 * First and last moment, both included: ISO 8601 strings or milliseconds since 1970. If the last moment is a day
 * without a time, the whole day is included.
 */
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

/** Time bucket of a time, such as its day. */
type BucketDefinition<R = unknown> = unknown extends R ? AnyBucket : BucketByNeed<R>

interface BucketRules extends ReadingRules {
  /** `year`, `month`, `day`, `hour`, or `minute:N` where N divides 60. */
  readonly bucket: 'year' | 'month' | 'day' | 'hour' | `minute:${number}`
  /** `UTC`, an offset such as `+02:00`, or a named zone. Default: `UTC`. */
  readonly zone?: string
  /** Unit of numbers, counted since 1970. Default: only ISO 8601 strings are accepted. */
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

/** Stamps JSON bytes, one record after the other. Keeps a reference to the last buffer, but no data of records. */
interface BytesStamper {
  /**
   * Stamps the record in `bytes[start, end)`, which may have whitespace around it. Reads no other bytes. Accepts every
   * object of at most 128 levels and less than 1 GiB that JSON.parse accepts after a strict UTF-8 decode.
   */
  readonly stamp: (bytes: Uint8Array, source?: Source, start?: number, end?: number) => StampedBytes | Rejection
  /**
   * Stamps the value that begins at `start`, which must not be whitespace, and finds its end. Returns undefined if
   * `bytes[start, limit)` contains only a part of the value. Requires that `bytes[limit]` exists and is zero.
   */
  readonly stampElement: (
    bytes: Uint8Array,
    source: Source | undefined,
    start: number,
    limit: number
  ) => StampedElement | undefined
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
  /** Components in order; empty if the key was cut. */
  readonly parts: readonly DecodedPart[]
  /** The key without its suffix. */
  readonly base: string
  /** Number of the suffix: 1 to `count`; undefined without a suffix. */
  readonly slot: number | undefined
  /** Number in the key, after the suffix separator; differs from `slot` with even labels. */
  readonly label: number | undefined
  /**
   * Whether the key was too long. Then it consists of the beginning of the original key and a hash of the original key.
   */
  readonly isCut: boolean
}

interface DecodedPart {
  /** Source of the part: a JSON pointer, or a name such as `kafka offset` or `literal`. */
  readonly of: string
  readonly value: KeyValue
}

interface EmptyRule {
  /** For an empty string. `{ use: '' }` uses the empty string itself. Default: `reject`. */
  readonly empty?: Substitute
}

type Entries<R> = Walk<R, [1, 1, 1, 1, 1, 1], '', never>

type EntriesAt<Path extends string, Value, Less extends readonly unknown[], Gap> =
  | readonly [Path, NeedOf<Value | Gap>]
  | (unknown extends Value
      ? readonly [`${Path}/${string}`, 'none']
      : Walk<Inner<Value>, Less, Path, Gap | GapBelow<Value>>)

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

/** A field of the record. A field that may be missing, null, an object or an array needs a rule for that case. */
type FieldDefinition<R = unknown> = unknown extends R ? AnyField : FieldByNeed<R>

/** Rules that a field of a component needs: for values that its type allows but that cannot be part of a key. */
type FieldNeed = 'none' | 'missing' | 'null' | 'missing and null' | 'wrongType' | 'all'

/**
 * Every JSON pointer into a record of type R, down to six levels; plain `string` if the type is not known. So the
 * compiler rejects a plan with a field that the record type lacks.
 */
type FieldPath<R> = unknown extends R ? string : Entries<R>[0]

interface FieldPointer {
  /** JSON pointer such as `/deviceId` or `/vehicle/vin`. */
  readonly field: string
}

interface FieldRules extends ReadingRules {
  /**
   * Type of the value; values of another type are rejected. Default: strings, numbers and booleans are accepted in
   * their canonical form.
   */
  readonly type?: ComponentType
  /** Unicode normalization of strings. Default: none. */
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

/** Fields of R that need exactly these rules. Each need is one string, so that the compiler compares it exactly. */
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
  /** Components of the id, in this order. */
  readonly from: readonly ComponentDefinition<R>[]
  /** One ASCII punctuation character between the components; empty for none. Default: `-`. */
  readonly separator?: string
  /**
   * `lossless` escapes, reversibly, the characters that Cosmos DB cannot store. `underscore` replaces them by
   * underscores, as Microsoft's connectors do. Default: `lossless`.
   */
  readonly escape?: 'lossless' | 'underscore'
  /** Action if the record already has another id. Default: `verify`. */
  readonly existing?: Existing
}

type Inner<Value> = Exclude<Value, Scalar | null | undefined>

type IntoOf<Level> = Level extends {
  readonly into: infer Into
}
  ? Into
  : never

type IsStrict = undefined extends string ? false : true

interface KafkaCoordinate {
  /** Coordinate of the Kafka record: its topic, partition, offset or timestamp. */
  readonly kafka: 'topic' | 'partition' | 'offset' | 'timestamp'
}

type KafkaDefinition = KafkaCoordinate | KafkaKey | KafkaKeyField | KafkaHeader

interface KafkaHeader extends EmptyRule {
  /** Header of the Kafka record, as a string. */
  readonly kafka: 'header'
  /** The name of the header. */
  readonly name: string
}

interface KafkaKey extends EmptyRule {
  /** Key of the Kafka record: the whole key as a string; with `field`, a field of a key that is JSON. */
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

/** A key is a string, unless the value of a field is the key itself or an existing key is kept. */
type KeyOf<Level> = Level extends {
  readonly existing: infer Existing
}
  ? 'keep' extends Existing
    ? KeyValue
    : MadeKey<Level>
  : MadeKey<Level>

/** One level of the key. */
interface LevelDefinition<R = unknown> {
  /**
   * Partition key path of the container; the plan writes the key there. `/id` is only allowed as the last of several
   * levels, with `from: [{ id: true }]`.
   */
  readonly into: string
  /** Components of the key, in this order. */
  readonly from: readonly ComponentDefinition<R>[]
  /** One ASCII punctuation character between the components. Default: `-`. */
  readonly separator?: string
  /** Spreads one base key over several keys. Default: no suffix. */
  readonly suffix?: SuffixDefinition<R>
  /** Action if the record already has the property. Default: `verify`. */
  readonly existing?: Existing
  /**
   * Action for a key longer than Cosmos DB allows: reject the record, or keep its beginning and a hash. Default:
   * `reject`.
   */
  readonly tooLong?: 'reject' | 'hash'
}

/** Levels of a plan, as a union. */
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
  /** A string that is the same for every record. */
  readonly literal: string
}

/** Lookups for readers: the keys of a record or of a set of records, and the values that a key was made of. */
interface Lookups {
  /** Returns the key of the record with these parts. Throws PARTS_MISSING if the parts do not determine the key. */
  readonly keyFor: (parts: object, source?: Source) => ExactKey
  /**
   * Lists every key under which documents with these parts can be stored. Throws KEYS_UNBOUNDED if there is no such
   * list.
   */
  readonly keysFor: (parts: object, options?: KeysForOptions) => readonly PartitionKey[]
  /**
   * Creates a filter for the documents under the keys of `keysFor`: it matches those with these parts and a time in the
   * interval. Throws OPTION_INVALID for a part that the plan does not read.
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

/** Top-level property that a level writes. Never the id, which keeps its type in the record. */
type MemberOf<Level> =
  IntoOf<Level> extends `/${infer Name}` ? (Name extends `${string}/${string}` | 'id' ? never : Name) : never

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

/** Shown by compilers: a component of one of these fields needs a rule for records without the field. */
interface NeedsMissing<Path> {
  readonly [NEEDED]: ['missing', Path]
}

/** Shown by compilers: a component of one of these fields needs a rule for null. */
interface NeedsNull<Path> {
  readonly [NEEDED]: ['null', Path]
}

/** Shown by compilers: a component of one of these fields needs a rule for objects and arrays. */
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

/** A JSON pointer (RFC 6901) as a list of names: `/a/b/0` is `['a', 'b', '0']`. */
type Pointer = readonly string[]

interface PreviousDefinition<R = unknown> {
  /** An immutable property of the record, and the value before which the older plan applies. */
  readonly until: {
    /** JSON pointer to a number or a time that never changes. */
    readonly field: FieldPath<R>
    /** The older plan applies to records below this number, or before this time. */
    readonly before: string | number
  }
  /** The older version. It cannot have `previous` itself. */
  readonly plan: PlanDefinition<R>
}

interface ReadingRules extends Substitutes {
  /**
   * Accepts strings of digits for an `integer`, and for a time with `epoch`, as in CSV: `015` is 15. Default: false.
   */
  readonly coerce?: boolean
  /** JSON pointer into the Kafka key, which is read if the field is missing, as in a tombstone. */
  readonly orKey?: string
}

type Replaced<
  Text extends string,
  From extends string,
  To extends string
> = Text extends `${infer Head}${From}${infer Tail}` ? `${Head}${To}${Replaced<Tail, From, To>}` : Text

/** Types that JSON writes as a string, a number or a boolean. */
type Scalar = string | number | bigint | boolean | Date

/** Action for a value that cannot be part of a key: reject the record, or use this string instead. */
type Substitute = 'reject' | SubstituteText

interface SubstituteText {
  /** String to use instead. */
  readonly use: string
}

interface Substitutes extends EmptyRule {
  /** For a record without the field. Default: `reject`. */
  readonly missing?: Substitute
  /** For a field that is null. Default: `reject`. */
  readonly null?: Substitute
  /**
   * For a value that the component does not accept, such as an object or a string that is not a time. Default:
   * `reject`.
   */
  readonly wrongType?: Substitute
}

interface SuffixDefinition<R = unknown> {
  /**
   * A field or several fields, which are hashed; `offset`, which hashes topic, partition and offset; or `random`. Not
   * used for a base key that has only one suffix.
   */
  readonly by:
    | (unknown extends R ? string : FieldsWithNeed<R, 'none'>)
    | FieldDefinition<R>
    | readonly ((unknown extends R ? string : FieldsWithNeed<R, 'none'>) | FieldDefinition<R>)[]
    | 'offset'
    | 'random'
  /** Number of suffixes: 1 to 1,000,000; with even labels, 1 to 10,000. */
  readonly count: number
  /** One ASCII punctuation character before the suffix. Default: `.`. */
  readonly separator?: string
  /** `even` puts one suffix into each of `count` equal slices of the hash space. Default: `numbered`. */
  readonly labels?: 'numbered' | 'even'
  /**
   * Values that need another number of suffixes than `count`, each with its number: `{ "tenant-0": 16 }`. They are
   * values of one component of the key, in the form that the key has without escapes. At most 10,000.
   */
  readonly hot?: Readonly<Record<string, number>>
  /** Number of the component whose values are in `hot`: 1 for the first. Default: 1. */
  readonly on?: number
}

interface TimeOf<Path> {
  /** The field that holds the time, or the record's own timestamp in Kafka. */
  readonly of: Path
}

/** Properties of a plan that do not depend on the type of its records. */
interface UntypedPlan extends Lookups {
  /** Stamps JSON bytes. Returns the changes to make in the bytes (splices); all other bytes stay unchanged. */
  readonly stampBytes: BytesStamper['stamp']
  /**
   * Stamps the JSON value that begins at a position, and finds its end. The bytes may contain only a part of the value.
   */
  readonly stampElement: BytesStamper['stampElement']
  /**
   * Hash of the rules that decide keys and ids. Plans with the same rules have the same hash, even if their JSON
   * differs.
   */
  readonly fingerprint: string
  /**
   * Fingerprints of the older versions of the plan, newest first. After a restart, a program may resume from a position
   * that it stored with an older version.
   */
  readonly previousFingerprints: readonly string[]
  /** Parts of the plan that are allowed but risky, with the remedy. */
  readonly warnings: readonly PlanWarning[]
  /** Partition key definition that the container for this plan must have. */
  readonly partitionKey: {
    readonly paths: readonly string[]
    readonly kind: 'Hash' | 'MultiHash'
    readonly version: 1 | 2
  }
}

interface VersionDefinition<R> {
  /** For editors; not read. */
  readonly $schema?: string
  /** How ids are made. Default: the record has its own id, a string. */
  readonly id?: IdDefinition<R>
  /** Hash version in the container's partition key definition. Default: 2. */
  readonly hashVersion?: 1 | 2
  /**
   * `injective`: different components never make the same key. `plain` joins components without an escape, for existing
   * data. Default: `injective`.
   */
  readonly encoding?: 'injective' | 'plain'
  /** Older versions of this plan, newest first. Each has the boundary before which it applies. */
  readonly previous?: readonly PreviousDefinition<R>[]
}

/** Pairs of a pointer and the need of its value. `Gap` is undefined below a property that may be missing. */
type Walk<R, Depth extends readonly unknown[], Base extends string, Gap> = Depth extends readonly [
  unknown,
  ...infer Less
]
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
