/** What stops the work: the sentence's pattern, its cause and the remedy. `docs/errors.md` is made from this table. */
export const ERROR_CODES = {
  PLAN_INVALID: {
    sentence: 'The key plan has N mistakes, each with its place.',
    cause: 'A member is unknown, missing, of the wrong type, or contradicts another.',
    remedy: 'Mend each named place; where a name is close to a known one, that one is suggested.'
  },
  RANDOM_MISSING: {
    sentence: 'The plan draws random suffixes, but no randomness was handed in.',
    cause: '`createPlan` keeps no randomness of its own.',
    remedy: 'Call `createPlan(plan, { random: Math.random })`, or compute the suffix from a field.'
  },
  PARTS_MISSING: {
    sentence: 'The key cannot be computed from these parts.',
    cause: 'A component or the suffix needs a value that the parts do not hold.',
    remedy: 'Give the named member, or ask `keysFor` for every key that the known parts can mean.'
  },
  KEYS_UNBOUNDED: {
    sentence: 'The known parts leave more keys open than can be listed.',
    cause: 'A component that can take any value is unknown, or the list would pass its limit.',
    remedy: 'Give the named member, or a narrower `between` for time buckets.'
  },
  HASH_INPUT_INVALID: {
    sentence: 'These values cannot be hashed as a partition key.',
    cause: 'A key is made of text, finite numbers, booleans, null or nothing, and has one value a level.',
    remedy: 'Check the values against the container’s key paths.'
  },
  RECORD_REJECTED: {
    sentence: 'A record was rejected, and nothing was said about going on without it.',
    cause: 'A stage stops at the first record that gets no key, unless `onError` says otherwise.',
    remedy: 'Mend the record at the named place, or choose `skip`, a side stream or a function for `onError`.'
  },
  REJECTED_TOO_MANY: {
    sentence: 'More records were rejected than the cap allows.',
    cause: 'So many failures point at the plan or the input rather than at single records.',
    remedy: 'Read the first reasons in the message, mend plan or input, or raise `maxRejected`.'
  },
  INPUT_INVALID: {
    sentence: 'The input is not what was announced.',
    cause: 'It is not a JSON array, ends before it is complete, or its compression is broken.',
    remedy: 'Check the file at the named byte; lines of JSON go to `stampLines`, an array to `stampArray`.'
  },
  INPUT_UNREADABLE: {
    sentence: 'An input cannot be read.',
    cause: 'The file does not exist, may not be read, or the device failed.',
    remedy: 'Check the name and the permissions.'
  },
  OUTPUT_UNWRITABLE: {
    sentence: 'The output cannot be written.',
    cause: 'The folder does not exist, may not be written to, or the disk is full.',
    remedy: 'Make room, or choose another place. No half file is left under the target’s name.'
  },
  OPTION_INVALID: {
    sentence: 'An option is not known or has a value that it cannot have.',
    cause: 'A misspelled name or a value of the wrong kind; unknown options are never ignored.',
    remedy: 'Mend the named option.'
  },
  OPERATION_INVALID: {
    sentence: 'What was handed to a writer is not an operation that it can send.',
    cause:
      'A mistake in the program: a bare record in place of an operation, a missing or misspelled property, or a value of the wrong kind.',
    remedy: 'Hand over `{ kind: "upsert", record }`, or the record alone to `writer.upsert(record)`; the message names what is wrong.'
  },
  COSMOS_UNAUTHORIZED: {
    sentence: 'Cosmos DB refused who asked.',
    cause: 'The key or token is wrong or has expired, a role or the firewall stands in the way, or the clock is more than 15 minutes off.',
    remedy: 'Check the key or the role assignment, the firewall and the clock of this machine.'
  },
  COSMOS_UNAVAILABLE: {
    sentence: 'Cosmos DB does not answer, or asks to come back later, for longer than was waited.',
    cause: 'The endpoint is wrong, the network fails, or the service is in trouble.',
    remedy: 'Check the endpoint and the network; then try again.'
  },
  COSMOS_REFUSED: {
    sentence: 'Cosmos DB refused a request in a way that trying again does not cure.',
    cause: 'The request is not what the container takes.',
    remedy: 'Read the status in the message; report it with the activity id when it makes no sense.'
  },
  CONTAINER_MISSING: {
    sentence: 'There is no such database or container.',
    cause: 'A name is misspelled, or the container was deleted.',
    remedy: 'Check both names; create the container first.'
  },
  CONTAINER_MISMATCH: {
    sentence: 'The container is not what the key plan stamps for.',
    cause: 'Its key paths, their number or its hash version are others than the plan’s.',
    remedy: 'Mend `into`, `levels` or `hashVersion` of the plan as the message says, or name the right container.'
  },
  CONTAINER_RECREATED: {
    sentence: 'The container was deleted and created again while it was written to.',
    cause: 'Its resource id has changed: it is another container of the same name, without the documents of the first.',
    remedy: 'Find out who deleted it. Start again to write into the new one; write again from the source what was stored before.'
  },
  READER_CLOSED: {
    sentence: 'The reader is closed.',
    cause: 'It was asked after it was closed, or closed while it read.',
    remedy: 'Create another one, and close it when its answers are there.'
  },
  WRITER_CLOSED: {
    sentence: 'The writer is closed.',
    cause: 'It was closed, or what stopped it is the cause; a write that was still on its way at the deadline may have been applied.',
    remedy: 'Write again with a new writer what got no outcome.'
  },
  WRITE_FENCED: {
    sentence: 'The write was withdrawn before it was sent.',
    cause: 'The fence that was handed in with it went up: whoever asked for the write has no right to it any more.',
    remedy: 'None is needed; whoever has the right now writes it.'
  },
  BUDGET_UNREACHABLE: {
    sentence: 'The budget that processes share cannot be reached.',
    cause: 'Redis does not answer at the given address, or the package `ioredis` is not installed.',
    remedy: 'Check the address and install `ioredis`, version 5; or give each process a number of its own.'
  },
  CHECKPOINT_INVALID: {
    sentence: 'The checkpoint does not belong to this load.',
    cause:
      'It was written for other inputs, another plan or another container, an input has changed before its position, or the file is damaged or no checkpoint.',
    remedy:
      'Restore the input that the message names, or name the checkpoint of this load; delete a checkpoint to start from the beginning.'
  },
  CONFIG_INVALID: {
    sentence: 'The configuration has N mistakes, each with its line.',
    cause: 'A key is unknown, missing, of the wrong type, or contradicts another.',
    remedy: 'Mend each named place; where a name is close to a known one, that one is suggested.'
  },
  KAFKA_UNAVAILABLE: {
    sentence: 'Kafka cannot be reached.',
    cause: 'The brokers’ address is wrong, or the network or a broker fails.',
    remedy: 'Check `kafka.brokers` and the network.'
  },
  KAFKA_UNAUTHORIZED: {
    sentence: 'Kafka refused the credentials, or a certificate was not trusted.',
    cause: 'The user name, password or token is wrong, an ACL is missing, or a certificate cannot be verified.',
    remedy: 'Check `kafka.sasl`, `kafka.tls` and the ACLs of topics and consumer group.'
  },
  TOPIC_MISSING: {
    sentence: 'There is no such topic.',
    cause: 'A name is misspelled, a pattern matches nothing, or the topic was deleted.',
    remedy: 'Check `kafka.topics`; create the topic first.'
  },
  OFFSETS_LOST: {
    sentence: 'The group’s position lies where the topic has no records any more.',
    cause: 'Retention removed records before they were read, or the topic was created anew.',
    remedy:
      'Find out what is missing; then move the group with `kafka-consumer-groups --reset-offsets`, or say `kafka.lostOffsets: earliest`.'
  },
  PLAN_CHANGED: {
    sentence: 'The group’s position was committed under another key plan.',
    cause: 'Records before it have keys and ids that this plan does not give: they would be stored a second time, or not be found.',
    remedy: 'List the older plan under `previous`, take another group, or say `acceptPlanChange: true` to go on.'
  },
  REJECTS_FAILED: {
    sentence: 'Rejected records cannot be copied to where they belong.',
    cause: 'The dead letter topic does not exist, may not be written to, or does not take a record of this size.',
    remedy: 'Create the topic, raise its `max.message.bytes`, or choose `rejects.tooLarge`.'
  },
  TOLERANCE_EXCEEDED: {
    sentence: 'More records were rejected than the configuration tolerates.',
    cause: 'So many failures point at the configuration or the producer rather than at single records.',
    remedy: 'Read the first reasons in the message, mend what they name, or raise `rejects.tolerance`.'
  },
  SINK_STALLED: {
    sentence: 'A record has had no outcome for too long, and nothing explains it.',
    cause: 'A mistake in Keystamp, or a process that gets no time to run.',
    remedy: 'Start it again: what is not committed is read again. Report it with the metrics of that time.'
  },
  SHUTDOWN_TIMEOUT: {
    sentence: 'The time to shut down in has passed.',
    cause: 'Cosmos DB or the dead letter topic did not answer while the sink was draining.',
    remedy: 'Nothing is lost: what is not committed is read again. Raise `shutdown` where this happens often.'
  },
  INVARIANT_BROKEN: {
    sentence: 'A promise of Keystamp’s own does not hold.',
    cause: 'A mistake in Keystamp, or a caller that broke the order of calls.',
    remedy: 'Stop, keep the data, and report it with the code that called.'
  }
} as const

export type ErrorCode = keyof typeof ERROR_CODES
