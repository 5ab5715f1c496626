import { checkMove, type MoveFacts } from '@keystamp/move'
import { describe, expect, it } from 'vitest'
import { describeCheck } from '../../src/rekey/check-text.ts'
import { createTargetRecipe } from '../../src/rekey/target-recipe.ts'
import { createTextLayout } from '../../src/terminal/text-layout.ts'
import { FACTS, SOURCE, TARGET_NAME } from './check-facts.ts'

/** Text without colors in a terminal of some columns. */
function textOf(facts: MoveFacts, columns: number): string {
  const stdout = Object.assign(Object.create(process.stdout) as typeof process.stdout, {
    isTTY: true as const,
    columns
  })
  return describeCheck(checkMove(facts), createTextLayout({ stdout, env: { NO_COLOR: '1' } }))
}

describe('text of a check', () => {
  it('begins with the verdict, in 100 columns', () => {
    expect(textOf(FACTS, 100)).toMatchInlineSnapshot(`
      "The move cannot begin: 1 finding of this check stops it (collisions).

      Stops         collisions: 1 document of the sample would get a new key and id that another document
                    has, too: one of them would be lost.
                    -> Add a field of the old key to the new key, or to a new id.

      Confirm       documents-rejected: The plan rejects 15 of 5,000 documents in the sample
                    (FIELD_MISSING 0.3 %): The field /region is missing.
                    -> Change the plan (such as \`"missing": { "use": "none" }\` of a field), or repair the
                    documents: rejected documents are not copied, and the switch waits until there are
                    none.
                    transactions-torn: 25 % of the old keys with several documents in the sample have
                    documents of several new keys: transactional batches and stored procedures no longer
                    include all of them.
                    -> Confirm that no transaction needs the documents of an old key together, or choose a
                    key that keeps them together.
                    index-large: The index of identities takes up to 1.2 GB of memory, and about 6.4 GB on
                    the disk, where it can have 34.4 GB.
                    -> Choose a plan whose key follows from the old key and the id, turn on previous
                    images in the source, or move without the index: former copies are then found when the
                    containers are compared.
                    scripts-not-copied: A move copies documents only. The target does not have: stored
                    procedures addDrive.
                    -> Create them in the target before the switch. A stored procedure sees the documents
                    of one key, which is now the new one.

      Notes         back-loses-documents: After the switch, keystamp rekey back can return only documents
                    that have /deviceId.
                    -> Let the applications write these fields into new documents until keystamp rekey
                    finish.
                    hash-version-changes: The source hashes keys by version 1, the target by version 2.
                    -> Nothing needs to be done: version 2 hashes the whole key, version 1 only its first
                    100 characters.
                    system-properties-change: Copies get new values of \`_etag\`, \`_ts\` and \`_rid\`.
                    -> Conditional writes with a saved ETag fail once after the switch, queries by \`_ts\`
                    see the time of the copy, and readers of the change feed of the target see every copy.

      Source        fleet/drives at my-account.documents.azure.com: partition key /deviceId, 4 physical
                    partitions, 20,000 RU/s, 100,000,000 documents, 100 GB, largest key 12 GB.
      Target        fleet/drives-2 at my-account.documents.azure.com does not exist.

      Plan          Key and id of a new document depend on other fields, too: /region.
      Deletes       The change feed of all versions and deletes tells every delete in the source; a read
                    of the source confirms it before the document in the target is deleted. After a pause
                    longer than 7 days, deletes are found when the containers are compared.
      Key changes   A change of /region moves the document: an index of identities in the journal tells
                    the former key, and the copy there is deleted. The index takes 6.4 GB on the disk, and
                    1.2 GB of memory. Without the folder of the journal, the move has to begin again.
      Time to live  The source has no DefaultTimeToLive: nothing expires, and the copies keep their
                    members.
      Way back      The old key depends on fields of the document: /deviceId. Whether the target has a
                    change feed of all versions and deletes is unknown: documents that are deleted in the
                    target are found when the containers are compared, at the latest before the return.
                    - New documents need /deviceId: keystamp rekey back writes others to the file of
                    rejected documents, and does not switch while there are any.
                    - An index of identities of the target, of about the same size as that of the source.
                    - A comparison of both containers before the return, because no feed tells the deletes
                    in the target.

      Copy          Reads 100,000,000 RU at 6,000 RU/s, and writes 700,000,000 RU at 16,000 RU/s. This
                    takes 12.2 hours; the target limits it. Price of the target in this time: $19. A
                    comparison reads 100,000,000 RU in each container.
                    Assumed: Charges of Microsoft’s tables for documents of mean size. New keys that are
                    spread evenly over the physical partitions. No changes during the copy, and no other
                    use of the shares. Prices of 2026-05-01 for 1 region, without storage.

      Sample        5,000 documents of 100,000,000, on average 1 KB; 15 rejected documents; 1 collision;
                    100 of 400 old keys torn; largest new key 2 % of the data.

      Recipe        1. Create the container with 18,000 RU/s: it then has 3 physical partitions.
                    2. Raise the throughput to 20,000 RU/s: this takes effect immediately, without a
                    split.

      az cosmosdb sql container create \\
        --resource-group <group> --account-name my-account --database-name fleet --name drives-2 \\
        --partition-key-path '/key' --partition-key-version 2 \\
        --throughput 18000

      {
        "id": "drives-2",
        "partitionKey": {
          "paths": [
            "/key"
          ],
          "kind": "Hash",
          "version": 2
        },
        "indexingPolicy": {
          "indexingMode": "consistent",
          "automatic": true,
          "includedPaths": [
            {
              "path": "/*"
            }
          ],
          "excludedPaths": [
            {
              "path": "/\\"_etag\\"/?"
            }
          ]
        }
      }

      Unknown       Previous images of the source: The container does not tell whether it keeps them. They
                    count only where changes have them.
      "
    `)
  })

  it('fits 80 columns', () => {
    const serverless: MoveFacts = {
      ...FACTS,
      target: {
        ...SOURCE,
        name: 'fleet/drives-2 at my-account.documents.azure.com',
        documents: { unknown: 'No quota.' }
      },
      source: {
        ...SOURCE,
        versionsFeed: { value: { isOn: false, retentionMinutes: null, previousImages: null } },
        throughput: { value: { kind: 'serverless', ruPerSecond: null, isShared: false } }
      },
      sample: { unknown: 'Refused.' },
      charges: { unknown: 'No documents were read.' }
    }

    expect(textOf(serverless, 80)).toMatchInlineSnapshot(`
      "The move cannot begin: 2 findings of this check stop it (target-key-differs and
      hash-version-differs).

      Stops         target-key-differs: The plan writes its key into /key, but the
                    partition key of the target is /deviceId.
                    -> Change \`into\` in the plan, or use another target: the partition
                    key of a container cannot be changed.
                    hash-version-differs: The plan is made for hash version 2, but the
                    target has hash version 1.
                    -> Write "hashVersion": 1 into the plan.

      Confirm       index-large: The index of identities takes up to 1.2 GB of memory,
                    and an unknown size on the disk, where it can have 34.4 GB.
                    -> Choose a plan whose key follows from the old key and the id,
                    turn on previous images in the source, or move without the index:
                    former copies are then found when the containers are compared.

      Notes         collisions-possible: Two documents with the same id would get the
                    same new key if /deviceId is a number in one, and the same digits
                    as a string in the other.
                    -> The copy finds such documents, writes them to the file of
                    rejected documents, and replaces none of them.
                    deletes-by-sweep: Deletes in the source are seen only when the
                    containers are compared.
                    -> Nothing needs to be done. With the change feed of all versions
                    and deletes (for the account, which needs continuous backup),
                    deletes would be seen at once.
                    back-loses-documents: After the switch, keystamp rekey back can
                    return only documents that have /deviceId.
                    -> Let the applications write these fields into new documents
                    until keystamp rekey finish.
                    system-properties-change: Copies get new values of \`_etag\`, \`_ts\`
                    and \`_rid\`.
                    -> Conditional writes with a saved ETag fail once after the
                    switch, queries by \`_ts\` see the time of the copy, and readers of
                    the change feed of the target see every copy.

      Source        fleet/drives at my-account.documents.azure.com: partition key
                    /deviceId, 4 physical partitions, serverless, 100,000,000
                    documents, 100 GB, largest key 12 GB.
      Target        fleet/drives-2 at my-account.documents.azure.com: partition key
                    /deviceId, 4 physical partitions, 20,000 RU/s, an unknown number
                    of documents, 100 GB, largest key 12 GB.

      Plan          Key and id of a new document depend on other fields, too: /region.
      Deletes       The source has no change feed of all versions and deletes:
                    documents that are deleted in the source are found when the
                    containers are compared, at the latest before the switch. Until
                    then, the target has documents that the source no longer has.
      Key changes   A change of /region moves the document: an index of identities in
                    the journal tells the former key, and the copy there is deleted.
                    The index takes an unknown size on the disk, and 1.2 GB of memory.
                    Without the folder of the journal, the move has to begin again.
      Time to live  The source has no DefaultTimeToLive: nothing expires, and the
                    copies keep their members.
      Way back      The old key depends on fields of the document: /deviceId. The
                    change feed of all versions and deletes tells every delete in the
                    target; a read of the target confirms it before the document in
                    the source is deleted.
                    - New documents need /deviceId: keystamp rekey back writes others
                    to the file of rejected documents, and does not switch while there
                    are any.
                    - An index of identities of the target, of about the same size as
                    that of the source.

      Copy          RU, time and price are unknown.

      Unknown       Number of documents of the target: No quota.
                    Documents of the source: Refused.
                    RU of a document: No documents were read.
                    Time of the copy: A serverless container has no provisioned
                    throughput: it serves up to 5,000 RU/s for each physical
                    partition, without a guarantee.
      "
    `)
  })

  it.each([80, 100])('has no line of more than %i columns, but in the recipe', (columns) => {
    const lines = textOf(FACTS, columns).split('\naz cosmosdb')[0].split('\n')

    expect(lines.filter((line) => line.length > columns)).toEqual([])
  })
})

describe('recipe of a target', () => {
  it.each([
    ['the data decides the partitions', { bytes: { value: 200e9 } }, [5, 30_000, 20_000]],
    ['the throughput decides the partitions', throughput('manual', 90_000), [9, 54_000, 90_000]],
    ['autoscale', throughput('autoscale', 20_000), [3, 30_000, 20_000]],
    ['the minimum after the creation', throughput('autoscale', 1000), [3, 30_000, 3000]],
    ['the throughput of a database', throughput('manual', 400_000, true), [3, 18_000, null]],
    ['serverless', throughput('serverless', null), [3, null, null]],
    ['nothing is known', { bytes: { unknown: '-' }, throughput: { unknown: '-' } }, [4, 24_000, null]]
  ] as const)('has partitions, RU/s to create with, and RU/s after the move: %s', (_title, changes, numbers) => {
    const { partitions, createRuPerSecond, runRuPerSecond } = recipeOf(changes)

    expect([partitions, createRuPerSecond, runRuPerSecond]).toEqual(numbers)
  })

  it('raises or lowers the throughput after the creation', () => {
    expect(recipeOf(throughput('manual', 90_000)).steps[1]).toBe(
      'Raise the throughput to 90,000 RU/s: this takes effect immediately, without a split.'
    )
    expect(recipeOf(throughput('manual', 1000)).steps[1]).toBe(
      'After keystamp rekey finish: lower the throughput to 1,000 RU/s: the container keeps its 3 physical partitions.'
    )
    expect(recipeOf(throughput('manual', 18_000)).steps).toHaveLength(1)
  })

  it('has the settings of the source, and unusual names in quotes', () => {
    const { json, az } = recipeOf(
      { settings: { ...SOURCE.settings, defaultTtl: 60, uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/plate'] }] } } },
      { keyPaths: ['/a b/c'], hashVersion: 1 }
    )

    expect(JSON.parse(json)).toMatchObject({
      id: 'drives-2',
      partitionKey: { paths: ['/"a b"/c'], kind: 'Hash', version: 1 },
      defaultTtl: 60,
      uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/plate'] }] }
    })
    expect(az).toContain(`--partition-key-path '/"a b"/c' --partition-key-version 1`)
    expect(az).toContain('--unique-key-policy @unique-keys.json')
    expect(az).not.toContain('--idx')
  })

  it('has the retention of the change feed only for an emulator, because an account takes that of its backup', () => {
    const source = { ...SOURCE, settings: { changeFeedPolicy: { retentionDuration: 60 } } }
    const jsonFor = (endpoint: string): unknown =>
      JSON.parse(createTargetRecipe(source, FACTS.plan, { ...TARGET_NAME, endpoint }).json)

    expect(jsonFor('http://127.0.0.1:8081/')).toHaveProperty('changeFeedPolicy', { retentionDuration: 60 })
    expect(jsonFor('https://my-account.documents.azure.com/')).not.toHaveProperty('changeFeedPolicy')
  })

  it('has a definition, and no command, for a hierarchical key', () => {
    const { json, az } = recipeOf({}, { keyPaths: ['/tenantId', '/id'], hashVersion: 2 })

    expect(JSON.parse(json)).toMatchObject({
      partitionKey: { paths: ['/tenantId', '/id'], kind: 'MultiHash', version: 2 }
    })
    expect(az).toMatch(/^# az cosmosdb accepts only one path/)
  })
})

function throughput(kind: 'manual' | 'autoscale' | 'serverless', ruPerSecond: number | null, isShared = false) {
  return { throughput: { value: { kind, ruPerSecond, isShared } } }
}

function recipeOf(changes: Partial<MoveFacts['source']>, plan: Partial<MoveFacts['plan']> = {}) {
  return createTargetRecipe({ ...SOURCE, ...changes }, { ...FACTS.plan, ...plan }, TARGET_NAME)
}
