/** Why a record gets no key: the sentence, its cause and the remedy; a hint follows the place in the message. `docs/errors.md` is made from this table. */
export const RECORD_CODES = {
  JSON_INVALID: {
    sentence: 'The record is not valid JSON.',
    cause: 'The bytes break the grammar of JSON (RFC 8259) or are not valid UTF-8.',
    remedy: 'Mend the producer. The byte at which reading stopped stands beside the code.'
  },
  JSON_NOT_OBJECT: {
    sentence: 'The record is JSON, but not an object.',
    cause: 'Cosmos DB stores objects; an array, a text, a number or null at the top has no members.',
    remedy: 'Wrap the value into an object, or take arrays apart before.'
  },
  JSON_TOO_DEEP: {
    sentence: 'The record is nested deeper than 128 levels.',
    cause: 'Cosmos DB stores at most 128 levels of objects and arrays.',
    remedy: 'Flatten the record, or keep the deep part as text.'
  },
  JSON_TOO_LARGE: {
    sentence: 'The record is larger than the limit.',
    cause: 'A single record is read whole; its size is limited.',
    remedy: 'Split the record, or raise the limit.'
  },
  CSV_COLUMNS: {
    sentence: 'The record has another number of columns than the header line.',
    cause: 'A line of CSV has a value too many or too few: a delimiter inside a value that is not in quotes, or another delimiter.',
    remedy: 'Put values that hold the delimiter in quotes; name another delimiter with `delimiter` or `--delimiter`.'
  },
  RECORD_NOT_OBJECT: {
    sentence: 'The record is not an object.',
    cause: 'Only an object has members to read a key from and to write it into.',
    remedy: 'Hand over plain objects; bytes of JSON to `stampBytes`, `stampLines` or `stampArray`, and text as Buffer.from(text).'
  },
  RECORD_UNREADABLE: {
    sentence: 'Reading or writing a member of the record failed.',
    cause: 'A getter or a proxy threw, the record is frozen, or it has no form in JSON: a bigint, or a reference to itself.',
    remedy: 'Hand over plain data; copy a frozen record first, as `stamp` of the streams does with `copy: true`.'
  },
  FIELD_MISSING: {
    sentence: 'A field that the key is made of is missing.',
    cause: 'The record has no such member, and the plan says nothing about that case.',
    remedy: 'Give the component `"missing": { "use": "..." }`, or let the record be rejected.'
  },
  FIELD_EMPTY: {
    sentence: 'A field that the key is made of is empty text.',
    cause:
      'The field is there and holds "", and the plan says nothing about that case. An empty value of CSV is no empty text but a missing field.',
    remedy:
      'Give the component `"empty": { "use": "..." }`, where `{ "use": "" }` takes the empty text as is; or let the record be rejected.'
  },
  FIELD_NULL: {
    sentence: 'A field that the key is made of is null.',
    cause: 'The record has the member, its value is null, and the plan says nothing about that case.',
    remedy: 'Give the component `"null": { "use": "..." }`, or let the record be rejected.'
  },
  FIELD_WRONG_TYPE: {
    sentence: 'A field that the key is made of is not of the declared type.',
    cause: 'Objects and arrays are not keys; a declared type takes its own values only.',
    remedy:
      'Correct the producer, declare another `type`, take digits as text by `"coerce": true` for integers, or give `"wrongType": { "use": "..." }`.'
  },
  NUMBER_INEXACT: {
    sentence: 'A number in the key is not exact.',
    cause: 'A double cannot hold this integer: two different numbers would give one key. NaN and infinities are no keys either.',
    remedy: 'Send it as text, as a bigint, or as plain digits in JSON bytes.'
  },
  TEXT_MALFORMED: {
    sentence: 'A text in the key holds half of a surrogate pair.',
    cause: 'Such a text has no UTF-8 form, so two different ones would be stored as the same.',
    remedy: 'Mend the producer, which cut a text inside a character.'
  },
  TIME_INVALID: {
    sentence: 'A field is not a time that a bucket can be made of.',
    cause: 'Buckets take ISO 8601 text such as 2018-08-09T07:15:00Z, or numbers where the plan declares `"epoch"`; years 0000 to 9999.',
    remedy:
      'Declare `"epoch"` (`seconds`, `milliseconds` or `microseconds`) for numbers, and `"coerce": true` where they are text, as in CSV.'
  },
  SOURCE_MISSING: {
    sentence: 'The plan reads what surrounds a Kafka record, and that is not there.',
    cause: 'A topic, partition, offset, timestamp, header or key was not handed in, is empty, or is not what the plan expects.',
    remedy: 'Hand it over as the second argument, or make the key of the record’s own fields.'
  },
  KEY_TOO_LONG: {
    sentence: 'The key is longer than Cosmos DB takes.',
    cause: 'A key value holds 2,048 bytes; of a version-1 container only the first 100 characters count.',
    remedy: 'Choose shorter components, or `"tooLong": "hash"` to keep a head and a hash of the whole.'
  },
  KEY_FUNCTION_FAILED: {
    sentence: 'The function that makes the key threw an error.',
    cause: 'It met a record that it was not written for.',
    remedy: 'Let it answer with a text for every record, or go on without such records by `onError`.'
  },
  KEY_NOT_TEXT: {
    sentence: 'The function that makes the key did not answer with a text.',
    cause: 'A key of an undefined, empty or non-text value would be found by nobody.',
    remedy: 'Convert what it answers: `String(year)`; a promise cannot be awaited here.'
  },
  KEY_DIFFERS: {
    sentence: 'The record already carries another key.',
    cause: 'The member that the plan writes is there with another value, and the plan says `"existing": "verify"`.',
    remedy: 'Find out who stamped it; choose `"overwrite"` to replace it or `"keep"` to trust it.'
  },
  INTO_BLOCKED: {
    sentence: 'The key cannot be written at its path.',
    cause: 'A parent of the path is there and is not an object.',
    remedy: 'Choose another `into`, or mend the record.'
  },
  ID_MISSING: {
    sentence: 'The record has no id.',
    cause: 'Cosmos DB identifies an item by its key and its id; the plan makes none and the record carries none.',
    remedy: 'Say in the plan what the id is made of: `"id": { "from": [ ... ] }`.'
  },
  ID_NOT_TEXT: {
    sentence: 'The record’s id is not text, or empty.',
    hint: 'Numbers are converted by a plan with "id": { "from": [{ "field": "/id" }] }; keystamp load has --id field:/id for that.',
    cause: 'Cosmos DB takes only text, and not the empty one, as an id.',
    remedy:
      'Let the plan make it, which writes 7 as `"7"`: `"id": { "from": [{ "field": "/id" }] }`; `keystamp load` has `--id field:/id` for that.'
  },
  ID_INVALID: {
    sentence: 'The record’s id holds a character that Cosmos DB cannot address.',
    cause: 'Of `/`, `\\`, `?` and `#` some are refused by the service and some break reading and deleting later.',
    remedy: 'Let the plan make the id, which escapes them reversibly.'
  },
  ID_TOO_LONG: {
    sentence: 'The id is longer than 1,023 bytes.',
    cause: 'Cosmos DB stores no longer ids.',
    remedy: 'Make the id of shorter parts.'
  },
  ID_DIFFERS: {
    sentence: 'The record already carries another id.',
    cause: 'The plan makes the id, the record has a different one, and the plan says `"existing": "verify"`.',
    remedy: 'Choose `"overwrite"` or `"keep"` for the id, or leave its making to one place.'
  },
  BOUNDARY_MISSING: {
    sentence: 'The plan’s version for this record cannot be told.',
    cause: 'The field that separates this version from the previous one is missing or of another type.',
    remedy: 'Every record needs the boundary field of `previous`; it must never change.'
  },
  KEY_NOT_DECODABLE: {
    sentence: 'This key was not made by this plan.',
    cause: 'Its text does not have the form that the plan gives to its keys.',
    remedy: 'Check that key and plan belong together; bare keys (`"encoding": "plain"`) cannot always be taken apart.'
  }
} as const

export type RecordCode = keyof typeof RECORD_CODES
