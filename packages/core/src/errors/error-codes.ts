/**
 * Errors that stop the work: pattern of the sentence, cause and remedy. `docs/errors.md` is generated from this table.
 */
export const ERROR_CODES = {
  PLAN_INVALID: {
    sentence: 'The key plan has N mistakes, each with its path.',
    cause: 'A property is unknown, missing, of the wrong type, or contradicts another property.',
    remedy: 'Fix each property that the message names; for a misspelled name it suggests the closest known one.'
  },
  RANDOM_MISSING: {
    sentence: 'The plan has random suffixes, but no source of random numbers was passed.',
    cause: '`createPlan` does not use `Math.random` by itself.',
    remedy: 'Call `createPlan(plan, { random: Math.random })`, or compute the suffix from a field.'
  },
  PARTS_MISSING: {
    sentence: 'The key cannot be computed from these parts.',
    cause: 'A component or the suffix needs a value that the parts do not have.',
    remedy: 'Pass the named property, or call `keysFor` for every key that the known parts allow.'
  },
  KEYS_UNBOUNDED: {
    sentence: 'The known parts allow more keys than can be listed.',
    cause:
      'The value of a component is not known and not limited to a list, or the list of keys would be longer than its limit.',
    remedy: 'Pass the named property, or a shorter interval `between` for time buckets.'
  },
  HASH_INPUT_INVALID: {
    sentence: 'These values cannot be hashed as a partition key.',
    cause: 'A key consists of strings, finite numbers, booleans, null or undefined, with one value for each level.',
    remedy: 'Compare the values with the partition key paths of the container.'
  },
  RECORD_REJECTED: {
    sentence: 'A record was rejected, and `onError` does not say to continue without it.',
    cause: 'A stage stops at the first record that gets no key, unless `onError` is set.',
    remedy: 'Fix the record at the named path, or set `onError` to `skip`, a side stream or a function.'
  },
  REJECTED_TOO_MANY: {
    sentence: 'More records were rejected than `maxRejected` allows.',
    cause:
      'With this number of rejections, the mistake is probably in the plan or in the input, not in single records.',
    remedy: 'Read the first reasons in the message, fix the plan or the input, or raise `maxRejected`.'
  },
  INPUT_INVALID: {
    sentence: 'The input does not have the expected form.',
    cause: 'The input is not a JSON array, ends before it is complete, or has damaged compressed data.',
    remedy: 'Check the file at the named byte; use `stampLines` for lines of JSON and `stampArray` for an array.'
  },
  INPUT_UNREADABLE: {
    sentence: 'An input cannot be read.',
    cause: 'The file does not exist, the permission to read is missing, or the device failed.',
    remedy: 'Check the name and the permissions.'
  },
  OUTPUT_UNWRITABLE: {
    sentence: 'The output cannot be written.',
    cause: 'The folder does not exist, the permission to write is missing, or the disk is full.',
    remedy: 'Free disk space, or choose another folder. No incomplete file is left under the name of the output.'
  },
  OPTION_INVALID: {
    sentence: 'An option is unknown or has an invalid value.',
    cause: 'A name is misspelled or a value is of the wrong type; unknown options are never ignored.',
    remedy: 'Fix the option that the message names.'
  },
  OPERATION_INVALID: {
    sentence: 'The argument is not an operation that the writer can send.',
    cause:
      'A mistake in the calling program: a record instead of an operation, a missing or misspelled property, or a value of the wrong type.',
    remedy: 'Pass `{ kind: "upsert", record }`, or call `writer.upsert(record)`; the message names the mistake.'
  },
  COSMOS_UNAUTHORIZED: {
    sentence: 'Cosmos DB rejected the credentials.',
    cause:
      'The key or token is wrong or has expired, a role assignment is missing, the firewall blocks this address, or the clock of this machine is more than 15 minutes off.',
    remedy: 'Check the key or the role assignment, the firewall and the clock of this machine.'
  },
  COSMOS_UNAVAILABLE: {
    sentence: 'Cosmos DB did not respond, or kept throttling, until the timeout.',
    cause: 'The endpoint is wrong, the network fails, or the service has an outage.',
    remedy: 'Check the endpoint and the network; then try again.'
  },
  COSMOS_REFUSED: {
    sentence: 'Cosmos DB rejected a request, and retrying cannot help.',
    cause: 'The request is not valid for this container.',
    remedy: 'Read the status code in the message; report it with the activity id if the request looks valid.'
  },
  CONTAINER_MISSING: {
    sentence: 'There is no such database or container.',
    cause: 'A name is misspelled, or the container was deleted.',
    remedy: 'Check both names; create the container first.'
  },
  CONTAINER_MISMATCH: {
    sentence: 'The container does not match the key plan.',
    cause: 'Its partition key paths, their number or its hash version differ from those of the plan.',
    remedy: 'Change `into`, `levels` or `hashVersion` of the plan as the message says, or name the right container.'
  },
  DOCUMENTS_UNMATCHED: {
    sentence: 'The documents of a container do not have the fields by which two containers are compared.',
    cause: 'A copy lacks the fields of the former key, or `by` names other fields than the documents have.',
    remedy: 'Name fields that identify a document in both containers with `by`.'
  },
  CONTAINER_RECREATED: {
    sentence: 'The container was deleted and created again while records were written to it.',
    cause:
      'The container has another resource id: it is a new container with the same name, without the documents of the old container.',
    remedy:
      'Find out which program or person deleted it. Restart to write to the new container, and write the earlier records again from the source.'
  },
  READER_CLOSED: {
    sentence: 'The reader is closed.',
    cause: 'A method was called after `close()`, or `close()` was called during a read.',
    remedy: 'Create another reader, and close it after its results have arrived.'
  },
  WRITER_CLOSED: {
    sentence: 'The writer is closed.',
    cause:
      '`close()` was called, or the error in `cause` stopped the writer. A write that was still in flight at the deadline may have been applied.',
    remedy: 'Create another writer and repeat the writes that have no outcome.'
  },
  WRITE_FENCED: {
    sentence: 'The caller lost ownership before the write was sent.',
    cause:
      'The permit that was passed with the write was revoked: in a sink, the partition was assigned to another consumer.',
    remedy: 'No action is needed: the new owner writes the record.'
  },
  BUDGET_UNREACHABLE: {
    sentence: 'The shared RU budget cannot be reached.',
    cause: 'Redis does not answer at the given address, or the package `ioredis` is not installed.',
    remedy: 'Check the address and install `ioredis`, version 5; or configure a fixed RU budget for each process.'
  },
  CHECKPOINT_INVALID: {
    sentence: 'The checkpoint does not belong to this load.',
    cause:
      'The checkpoint was written for other inputs, another plan or another container; an input has changed in the part that is already loaded; or the file is damaged or not a checkpoint.',
    remedy:
      'Restore the input that the message names, or pass the checkpoint of this load; delete the checkpoint to start from the beginning.'
  },
  JOURNAL_INVALID: {
    sentence: 'The journal of a move or of a replay cannot be used.',
    cause:
      'The journal belongs to a move of other containers or with another plan, or to a replay of another sink or container; or one of its files is damaged, of a newer version, or another file.',
    remedy:
      'Name the journal of this move or replay, or an empty folder for another one. Restore a damaged file from a copy of the folder.'
  },
  JOURNAL_IN_USE: {
    sentence: 'Another process has the journal open.',
    cause: 'The same move already runs on this machine.',
    remedy:
      'Talk to the running process with `keystamp rekey status --journal`, or stop the process that the message names.'
  },
  CONFIG_INVALID: {
    sentence: 'The configuration has N mistakes, each with its line.',
    cause: 'A key is unknown, missing, of the wrong type, or contradicts another key.',
    remedy: 'Fix each key that the message names; for a misspelled name it suggests the closest known one.'
  },
  KAFKA_UNAVAILABLE: {
    sentence: 'Kafka cannot be reached.',
    cause: 'The address of the brokers is wrong, or the network or a broker fails.',
    remedy: 'Check `kafka.brokers` and the network.'
  },
  KAFKA_UNAUTHORIZED: {
    sentence: 'Kafka rejected the credentials, or a certificate is not trusted.',
    cause: 'The user name, password or token is wrong, an ACL is missing, or a certificate cannot be verified.',
    remedy: 'Check `kafka.sasl`, `kafka.tls` and the ACLs of topics and consumer group.'
  },
  TOPIC_MISSING: {
    sentence: 'The topic does not exist.',
    cause: 'A name is misspelled, a pattern matches nothing, or the topic was deleted.',
    remedy: 'Check `kafka.topics`; create the topic first.'
  },
  OFFSETS_LOST: {
    sentence: 'The committed offset is out of range: the topic no longer has the records after it.',
    cause: 'Retention removed records before they were read, or the topic was deleted and created again.',
    remedy:
      'Find out which records are missing; then reset the offsets with `kafka-consumer-groups --reset-offsets`, or set `kafka.lostOffsets: earliest`.'
  },
  PLAN_CHANGED: {
    sentence: 'The committed offset was stored by a sink with another key plan.',
    cause:
      'Records before this offset have keys and ids that this plan does not make: they would be stored a second time, or would not be found.',
    remedy:
      'List the older plan under `previous`, use another consumer group, or set `acceptPlanChange: true` to continue.'
  },
  REJECTS_FAILED: {
    sentence: 'Rejected records cannot be written to the dead-letter topic or file.',
    cause:
      'The dead-letter topic does not exist, an ACL forbids writing, or the record is larger than the topic allows.',
    remedy: 'Create the topic, raise its `max.message.bytes`, or set `rejects.tooLarge`.'
  },
  TOLERANCE_EXCEEDED: {
    sentence: 'More records were rejected than the configuration tolerates.',
    cause:
      'With this number of rejections, the mistake is probably in the configuration or in the producer, not in single records.',
    remedy: 'Read the first reasons in the message, fix what they name, or raise `rejects.tolerance`.'
  },
  SINK_STALLED: {
    sentence: 'A record has had no outcome for too long, and no component reports a reason to wait.',
    cause: 'A defect in Keystamp, or a process that gets no processor time.',
    remedy: 'Restart the sink: it reads all uncommitted records again. Report the error with the metrics of that time.'
  },
  SHUTDOWN_TIMEOUT: {
    sentence: 'The shutdown took longer than the configured time.',
    cause: 'Cosmos DB or the dead-letter topic did not respond while the sink was draining.',
    remedy: 'Nothing is lost: uncommitted records are read again. Raise `shutdownTimeout` if this happens often.'
  },
  INVARIANT_BROKEN: {
    sentence: 'An internal invariant of Keystamp does not hold.',
    cause: 'A defect in Keystamp, or a caller that broke the documented order of calls.',
    remedy: 'Stop, keep the data, and report the error with the code of the caller.'
  }
} as const

export type ErrorCode = keyof typeof ERROR_CODES
