/**
 * Reasons why a record gets no key: sentence, cause and remedy. Some have a hint, which follows the path in the
 * message. `docs/errors.md` is generated from this table.
 */
export const RECORD_CODES = {
  JSON_INVALID: {
    sentence: 'The record is not valid JSON.',
    cause: 'The bytes break the grammar of JSON (RFC 8259) or are not valid UTF-8.',
    remedy: 'Fix the producer. The message names the byte at which reading stopped.'
  },
  JSON_NOT_OBJECT: {
    sentence: 'The record is JSON, but not an object.',
    cause: 'Cosmos DB stores objects; an array, a string, a number or null has no properties.',
    remedy: 'Wrap the value into an object, or split arrays into their elements first.'
  },
  JSON_TOO_DEEP: {
    sentence: 'The record is nested deeper than 128 levels.',
    cause: 'Cosmos DB stores at most 128 levels of objects and arrays.',
    remedy: 'Flatten the record, or store the deep part as a string.'
  },
  JSON_TOO_LARGE: {
    sentence: 'The record is larger than the limit.',
    cause: 'A record is read as a whole, so its size is limited.',
    remedy: 'Split the record, or raise the limit.'
  },
  CSV_COLUMNS: {
    sentence: 'The record has another number of columns than the header line.',
    cause:
      'A line of CSV has too many or too few values: a value without quotes contains the delimiter, or the file has another delimiter.',
    remedy: 'Put values that contain the delimiter in quotes; set another delimiter with `delimiter` or `--delimiter`.'
  },
  RECORD_NOT_OBJECT: {
    sentence: 'The record is not an object.',
    cause: 'Only an object has properties to read a key from and to write it to.',
    remedy:
      'Pass plain objects. For JSON bytes, use `stampBytes`, `stampLines` or `stampArray`; convert a string with Buffer.from(text).'
  },
  RECORD_UNREADABLE: {
    sentence: 'Reading or writing a property of the record failed.',
    cause:
      'A getter or a proxy threw, the record is frozen, or it cannot be written as JSON, because it contains a bigint or a reference to itself.',
    remedy: 'Pass plain data; copy a frozen record first, as `stamp` of the streams does with `copy: true`.'
  },
  FIELD_MISSING: {
    sentence: 'A field of the key is missing.',
    cause: 'The record does not have this property, and the plan has no `missing` rule for it.',
    remedy: 'Add `"missing": { "use": "..." }` to the component, or let the record be rejected.'
  },
  FIELD_EMPTY: {
    sentence: 'A field of the key is an empty string.',
    cause:
      'The value of the field is "", and the plan has no `empty` rule for it. An empty value of CSV is a missing field, not an empty string.',
    remedy:
      'Add `"empty": { "use": "..." }` to the component (`{ "use": "" }` uses the empty string itself), or let the record be rejected.'
  },
  FIELD_NULL: {
    sentence: 'A field of the key is null.',
    cause: 'The value of the field is null, and the plan has no `null` rule for it.',
    remedy: 'Add `"null": { "use": "..." }` to the component, or let the record be rejected.'
  },
  FIELD_WRONG_TYPE: {
    sentence: 'A field of the key is not of the declared type.',
    cause: 'Objects and arrays cannot be part of a key; a declared `type` accepts only values of that type.',
    remedy:
      'Fix the producer, declare another `type`, accept strings of digits as integers with `"coerce": true`, or add `"wrongType": { "use": "..." }`.'
  },
  NUMBER_INEXACT: {
    sentence: 'A number in the key is not exact.',
    cause:
      'A double cannot hold this integer: two different numbers would have the same key. NaN and infinite numbers cannot be part of a key either.',
    remedy: 'Send it as a string, as a bigint, or as plain digits in JSON bytes.'
  },
  TEXT_MALFORMED: {
    sentence: 'A string in the key contains half of a surrogate pair.',
    cause: 'Such a string has no UTF-8 form, so two different strings would be stored as the same string.',
    remedy: 'Fix the producer, which cut a string inside a character.'
  },
  TIME_INVALID: {
    sentence: 'A field is not a valid time for a bucket.',
    cause:
      'Buckets accept ISO 8601 strings such as 2018-08-09T07:15:00Z, and numbers if the plan declares `"epoch"`; years 0000 to 9999.',
    remedy:
      'Declare `"epoch"` (`seconds`, `milliseconds` or `microseconds`) for numbers, and `"coerce": true` if the numbers are strings, as in CSV.'
  },
  SOURCE_MISSING: {
    sentence: 'The plan reads a coordinate, a header or the key of the Kafka record, which is missing.',
    cause:
      'A topic, partition, offset, timestamp, header or key was not passed, is empty, or is not of the form that the plan expects.',
    remedy: 'Pass the missing value in the second argument, or make the key from fields of the record.'
  },
  KEY_TOO_LONG: {
    sentence: 'The key is longer than Cosmos DB allows.',
    cause: 'A key value has at most 2,048 bytes; a container with hash version 1 hashes only the first 100 characters.',
    remedy: 'Choose shorter components, or `"tooLong": "hash"` to keep the beginning and a hash of the whole key.'
  },
  KEY_FUNCTION_FAILED: {
    sentence: 'The function that makes the key threw an error.',
    cause: 'The record has a form that the function does not handle.',
    remedy: 'Make it return a string for every record, or continue without such records with `onError`.'
  },
  KEY_NOT_TEXT: {
    sentence: 'The function that makes the key did not return a string.',
    cause: 'No reader could compute a key that is undefined, empty or not a string.',
    remedy: 'Return a string, such as `String(year)`, and not a promise.'
  },
  KEY_DIFFERS: {
    sentence: 'The record already has another key.',
    cause: 'The property that the plan writes exists with another value, and the plan says `"existing": "verify"`.',
    remedy: 'Find out which program wrote this key; choose `"overwrite"` to replace the key or `"keep"` to trust it.'
  },
  INTO_BLOCKED: {
    sentence: 'The key cannot be written at its path.',
    cause: 'A parent of the path exists and is not an object.',
    remedy: 'Choose another `into`, or fix the record.'
  },
  ID_MISSING: {
    sentence: 'The record has no id.',
    cause: 'Cosmos DB identifies an item by its key and its id; the plan does not make an id and the record has none.',
    remedy: 'Define the components of the id in the plan: `"id": { "from": [ ... ] }`.'
  },
  ID_NOT_TEXT: {
    sentence: 'The id of the record is not a string, or is empty.',
    hint: 'To convert numbers, use a plan with "id": { "from": [{ "field": "/id" }] }, or the option --id field:/id of keystamp load.',
    cause: 'Cosmos DB accepts only strings that are not empty as an id.',
    remedy:
      'Let the plan make the id, which writes 7 as `"7"`: `"id": { "from": [{ "field": "/id" }] }`. With `keystamp load`, use `--id field:/id`.'
  },
  ID_INVALID: {
    sentence: 'The id of the record contains a character that Cosmos DB cannot address.',
    cause: 'Cosmos DB rejects some of `/`, `\\`, `?` and `#`; others make the item impossible to read or delete later.',
    remedy: 'Let the plan make the id: it escapes these characters reversibly.'
  },
  ID_TOO_LONG: {
    sentence: 'The id is longer than 1,023 bytes.',
    cause: 'Cosmos DB allows ids of at most 1,023 bytes.',
    remedy: 'Make the id of shorter components.'
  },
  ID_DIFFERS: {
    sentence: 'The record already has another id.',
    cause: 'The plan makes the id, the record has a different id, and the plan says `"existing": "verify"`.',
    remedy: 'Choose `"overwrite"` or `"keep"` for the id, or let only one program make the id.'
  },
  BOUNDARY_MISSING: {
    sentence: 'The version of the plan for this record cannot be determined.',
    cause: 'The field that separates this version from the previous one is missing or of another type.',
    remedy: 'Every record needs the boundary field of `previous`, whose value must never change.'
  },
  OPERATION_MISSING: {
    sentence: 'The record does not say which operation it describes.',
    cause:
      'Change data of Debezium has an `op`, and this record has none: it is a plain row, a heartbeat, a schema change or a transaction marker. With `write.operation`, the field or the header is missing.',
    remedy:
      'Read only topics with changes of rows; for plain rows, choose another format, such as `json`. For other change data, name the right field or header under `write.operation`.'
  },
  OPERATION_UNKNOWN: {
    sentence: 'The operation of the record is not known.',
    cause: 'An `op` of Debezium is `c`, `r`, `u`, `d`, `t` or `m`; `write.operation.values` lists all others.',
    remedy: 'Fix the producer, or add the value to `write.operation.values`.'
  },
  AFTER_MISSING: {
    sentence: 'The change has no row to store.',
    cause:
      'The `after` of the create, read or update is null or missing. MongoDB leaves it out of updates in the capture mode `change_streams`, and if the document was deleted meanwhile.',
    remedy:
      'For MongoDB, set `capture.mode` to `change_streams_update_full` or `change_streams_update_full_with_pre_image`.'
  },
  BEFORE_MISSING: {
    sentence: 'The delete does not say which document to delete.',
    cause: 'The `before` of the delete is null or missing, and the Kafka key alone does not give partition key and id.',
    remedy:
      'Make the database write previous rows (Postgres: REPLICA IDENTITY FULL; MongoDB: a capture mode with pre-images), or make key and id of the Kafka key with `orKey`.'
  },
  VALUE_UNAVAILABLE: {
    sentence: 'The row contains a placeholder instead of a value that has not changed.',
    cause:
      'Debezium does not know large values that an update did not change (TOAST of Postgres, LOB of Oracle), and writes `__debezium_unavailable_value`. The stored document would lose the value.',
    remedy: 'For Postgres, set REPLICA IDENTITY FULL. `unavailable: store` of the format stores the placeholder.'
  },
  TRUNCATE_REJECTED: {
    sentence: 'The change says that a whole table was emptied.',
    cause: 'A change with the `op` `t` names no rows, so the documents that it concerns are not known.',
    remedy: 'Delete the documents of the table yourself, and set `truncate: ignore` for the format.'
  },
  MESSAGE_REJECTED: {
    sentence: 'The change is a message, which has no row.',
    cause: 'A change with the `op` `m` is a logical decoding message, and the configuration has `message: reject`.',
    remedy: 'Set `message: ignore` for the format, or read other topics.'
  },
  KEY_NOT_DECODABLE: {
    sentence: 'This key was not made by this plan.',
    cause: 'The key does not have the form of the keys of this plan.',
    remedy: 'Check that key and plan belong together; keys with `"encoding": "plain"` cannot always be split.'
  }
} as const

export type RecordCode = keyof typeof RECORD_CODES
