// Written by `npm run docs` from the schemas in docs; do not edit.

import type { Schema } from '@keystamp/core/internal'

export const PLAN_REPORT_SCHEMA: Schema = {
  type: 'object',
  properties: {
    schemaVersion: { const: 1 },
    sample: { $ref: '#/$defs/sample' },
    verdict: { $ref: '#/$defs/verdict' },
    partitions: { anyOf: [{ $ref: '#/$defs/partitions' }, { type: 'null' }] },
    candidates: { type: 'array', items: { $ref: '#/$defs/candidate' } },
    retention: { type: 'array', items: { $ref: '#/$defs/retention' } },
    heat: { anyOf: [{ $ref: '#/$defs/heat' }, { type: 'null' }] },
    comparison: { anyOf: [{ $ref: '#/$defs/comparison' }, { type: 'null' }] },
    explore: { anyOf: [{ $ref: '#/$defs/explore' }, { type: 'null' }] },
    recipe: { anyOf: [{ $ref: '#/$defs/recipe' }, { type: 'null' }] },
    measured: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/measuredKey' } }, { type: 'null' }] },
    hygiene: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, finding: { type: 'string' }, records: { type: 'integer', minimum: 0 } },
        required: ['path', 'finding', 'records'],
        additionalProperties: false
      }
    },
    basis: { type: 'object', additionalProperties: { type: 'string' } },
    exact: { type: 'object', additionalProperties: { type: 'boolean' } },
    dropped: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, why: { type: 'string' } },
        required: ['name', 'why'],
        additionalProperties: false
      }
    },
    assumptions: {
      type: 'array',
      items: {
        type: 'object',
        properties: { what: { type: 'string' }, couldChange: { type: 'string' } },
        required: ['what', 'couldChange'],
        additionalProperties: false
      }
    },
    workload: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, value: { type: 'string' } },
        required: ['name', 'value'],
        additionalProperties: false
      }
    },
    unknown: { $ref: '#/$defs/reasons' }
  },
  required: [
    'schemaVersion',
    'sample',
    'verdict',
    'partitions',
    'candidates',
    'retention',
    'heat',
    'comparison',
    'explore',
    'recipe',
    'measured',
    'hygiene',
    'basis',
    'exact',
    'dropped',
    'assumptions',
    'workload',
    'unknown'
  ],
  additionalProperties: false,
  $defs: {
    interval: {
      type: 'object',
      properties: {
        low: { type: 'number', minimum: 0, maximum: 1 },
        mid: { type: 'number', minimum: 0, maximum: 1 },
        high: { type: 'number', minimum: 0, maximum: 1 }
      },
      required: ['low', 'mid', 'high'],
      additionalProperties: false
    },
    reasons: { type: 'object', additionalProperties: { type: 'string' } },
    keyPlan: { type: 'object' },
    sample: {
      type: 'object',
      properties: {
        records: { type: 'integer', minimum: 0 },
        bytes: { type: 'number', minimum: 0 },
        population: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
        method: { enum: ['whole', 'uniform', 'reservoir', 'head', 'described'] },
        seed: { type: 'integer', minimum: 0 },
        halvesDiffer: { anyOf: [{ type: 'boolean' }, { type: 'null' }] }
      },
      required: ['records', 'bytes', 'population', 'method', 'seed', 'halvesDiffer'],
      additionalProperties: false
    },
    verdict: {
      type: 'object',
      properties: {
        sentence: { type: 'string' },
        candidate: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        kind: { enum: ['keep', 'adopt', 'index', 'either', 'expire', 'unknown'] }
      },
      required: ['sentence', 'candidate', 'kind'],
      additionalProperties: false
    },
    partitions: {
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 1 },
        decidedBy: { enum: ['storage', 'throughput', 'one'] },
        gb: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        ruPerSecond: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] }
      },
      required: ['count', 'decidedBy', 'gb', 'ruPerSecond'],
      additionalProperties: false
    },
    window: {
      type: 'object',
      properties: {
        p01: { type: 'number', minimum: 0 },
        median: { type: 'number', minimum: 0 },
        windows: { type: 'integer', minimum: 1 }
      },
      required: ['p01', 'median', 'windows'],
      additionalProperties: false
    },
    price: {
      type: 'object',
      properties: {
        manual: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        autoscale: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        serverless: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        reserved: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        storage: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        currency: { type: 'string' },
        listDate: { type: 'string' }
      },
      required: ['manual', 'autoscale', 'serverless', 'reserved', 'storage', 'currency', 'listDate'],
      additionalProperties: false
    },
    key: {
      type: 'object',
      properties: {
        hash: { type: 'string', pattern: '^[0-9A-F]{8,16}(?:-[0-9A-F]{8,16})*$' },
        value: { type: 'string' },
        share: { $ref: '#/$defs/interval' },
        gb: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] }
      },
      required: ['hash', 'share', 'gb'],
      additionalProperties: false
    },
    query: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        kind: { enum: ['point', 'key', 'ranges', 'all'] },
        ranges: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        ruPerSecond: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] }
      },
      required: ['name', 'kind', 'ranges', 'ruPerSecond'],
      additionalProperties: false
    },
    candidate: {
      type: 'object',
      properties: {
        rank: { type: 'integer', minimum: 1 },
        name: { type: 'string' },
        plan: { anyOf: [{ $ref: '#/$defs/keyPlan' }, { type: 'null' }] },
        partitionKeyPaths: { type: 'array', items: { type: 'string' }, minItems: 1 },
        usableShare: { anyOf: [{ $ref: '#/$defs/interval' }, { type: 'null' }] },
        worstMinute: {
          anyOf: [
            {
              type: 'object',
              properties: {
                at: { type: 'string' },
                usableShare: { type: 'number', minimum: 0, maximum: 1 },
                neededRuPerSecond: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] }
              },
              required: ['at', 'usableShare', 'neededRuPerSecond'],
              additionalProperties: false
            },
            { type: 'null' }
          ]
        },
        effectiveKeys: {
          anyOf: [
            {
              type: 'object',
              properties: {
                second: { anyOf: [{ $ref: '#/$defs/window' }, { type: 'null' }] },
                minute: { anyOf: [{ $ref: '#/$defs/window' }, { type: 'null' }] },
                hour: { anyOf: [{ $ref: '#/$defs/window' }, { type: 'null' }] }
              },
              required: ['second', 'minute', 'hour'],
              additionalProperties: false
            },
            { type: 'null' }
          ]
        },
        distinctKeys: {
          type: 'object',
          properties: {
            low: { type: 'integer', minimum: 0 },
            mid: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
            high: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] }
          },
          required: ['low', 'mid', 'high'],
          additionalProperties: false
        },
        neededRuPerSecond: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        physicalPartitions: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
        monthlyPrice: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        price: { anyOf: [{ $ref: '#/$defs/price' }, { type: 'null' }] },
        indexContainers: { type: 'array', items: { $ref: '#/$defs/indexContainer' } },
        largestKey: {
          anyOf: [
            {
              type: 'object',
              properties: {
                share: { $ref: '#/$defs/interval' },
                gb: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
                fullOn: { anyOf: [{ type: 'string' }, { type: 'null' }] }
              },
              required: ['share', 'gb', 'fullOn'],
              additionalProperties: false
            },
            { type: 'null' }
          ]
        },
        loadByRange: { type: 'array', items: { type: 'number', minimum: 0, maximum: 1 } },
        heavy: { type: 'array', items: { $ref: '#/$defs/key' } },
        queries: { type: 'array', items: { $ref: '#/$defs/query' } },
        tornTransactions: { anyOf: [{ type: 'number', minimum: 0, maximum: 1 }, { type: 'null' }] },
        hardLimits: { type: 'array', items: { type: 'string' } },
        warnings: { type: 'array', items: { type: 'string' } },
        whyNot: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        readers: { type: 'string' },
        unknown: { $ref: '#/$defs/reasons' }
      },
      required: [
        'rank',
        'name',
        'plan',
        'partitionKeyPaths',
        'usableShare',
        'worstMinute',
        'effectiveKeys',
        'distinctKeys',
        'neededRuPerSecond',
        'physicalPartitions',
        'monthlyPrice',
        'price',
        'indexContainers',
        'largestKey',
        'loadByRange',
        'heavy',
        'queries',
        'tornTransactions',
        'hardLimits',
        'warnings',
        'whyNot',
        'readers',
        'unknown'
      ],
      additionalProperties: false
    },
    indexContainer: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        plan: { anyOf: [{ $ref: '#/$defs/keyPlan' }, { type: 'null' }] },
        partitionKeyPaths: { type: 'array', items: { type: 'string' }, minItems: 1 },
        queries: { type: 'array', items: { type: 'string' }, minItems: 1 },
        neededRuPerSecond: { type: 'number', minimum: 0 },
        physicalPartitions: { type: 'integer', minimum: 1 },
        gb: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        monthlyPrice: { type: 'number', minimum: 0 }
      },
      required: [
        'name',
        'plan',
        'partitionKeyPaths',
        'queries',
        'neededRuPerSecond',
        'physicalPartitions',
        'gb',
        'monthlyPrice'
      ],
      additionalProperties: false
    },
    retention: {
      type: 'object',
      properties: {
        days: { type: 'integer', minimum: 1 },
        partitions: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
        gb: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        monthlyPrice: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        candidate: { anyOf: [{ type: 'string' }, { type: 'null' }] }
      },
      required: ['days', 'partitions', 'gb', 'monthlyPrice', 'candidate'],
      additionalProperties: false
    },
    heat: {
      type: 'object',
      properties: {
        candidate: { type: 'string' },
        minutes: { type: 'array', items: { type: 'string' } },
        ranges: { type: 'integer', minimum: 1 },
        values: { type: 'array', items: { type: 'array', items: { type: 'number', minimum: 0, maximum: 1 } } }
      },
      required: ['candidate', 'minutes', 'ranges', 'values'],
      additionalProperties: false
    },
    comparison: {
      type: 'object',
      properties: {
        candidate: { type: 'string' },
        why: { enum: ['present', 'worst'] },
        heat: { anyOf: [{ $ref: '#/$defs/heat' }, { type: 'null' }] }
      },
      required: ['candidate', 'why', 'heat'],
      additionalProperties: false
    },
    prices: {
      type: 'object',
      properties: {
        listDate: { type: 'string' },
        currency: { type: 'string' },
        region: { type: 'string' },
        hoursPerMonth: { type: 'number', minimum: 0 },
        manualPer100RuHour: { type: 'number', minimum: 0 },
        autoscalePer100RuHour: { type: 'number', minimum: 0 },
        multiWriteManualPer100RuHour: { type: 'number', minimum: 0 },
        multiWriteAutoscalePer100RuHour: { type: 'number', minimum: 0 },
        serverlessPerMillionRu: { type: 'number', minimum: 0 },
        storagePerGbMonth: { type: 'number', minimum: 0 },
        reservedOneYear: { type: 'number', minimum: 0 },
        reservedThreeYears: { type: 'number', minimum: 0 }
      },
      required: [
        'listDate',
        'currency',
        'region',
        'hoursPerMonth',
        'manualPer100RuHour',
        'autoscalePer100RuHour',
        'multiWriteManualPer100RuHour',
        'multiWriteAutoscalePer100RuHour',
        'serverlessPerMillionRu',
        'storagePerGbMonth',
        'reservedOneYear',
        'reservedThreeYears'
      ],
      additionalProperties: false
    },
    explored: {
      type: 'object',
      properties: {
        candidate: { type: 'string' },
        indexMonthlyPrice: { type: 'number', minimum: 0 },
        loadRuPerSecond: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        at: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              partitions: { type: 'integer', minimum: 1 },
              usableShare: { anyOf: [{ $ref: '#/$defs/interval' }, { type: 'null' }] },
              busiestShare: { anyOf: [{ type: 'number', minimum: 0, maximum: 1 }, { type: 'null' }] },
              everyRangeRuPerSecond: { type: 'number', minimum: 0 },
              loadByRange: { type: 'array', items: { type: 'number', minimum: 0, maximum: 1 } }
            },
            required: ['partitions', 'usableShare', 'busiestShare', 'everyRangeRuPerSecond', 'loadByRange'],
            additionalProperties: false
          },
          minItems: 1
        }
      },
      required: ['candidate', 'indexMonthlyPrice', 'loadRuPerSecond', 'at'],
      additionalProperties: false
    },
    explore: {
      type: 'object',
      properties: {
        gb: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        regions: { type: 'integer', minimum: 1 },
        multiRegionWrites: { type: 'boolean' },
        meanUtilization: { anyOf: [{ type: 'number', minimum: 0, maximum: 1 }, { type: 'null' }] },
        prices: { $ref: '#/$defs/prices' },
        candidates: { type: 'array', items: { $ref: '#/$defs/explored' } }
      },
      required: ['gb', 'regions', 'multiRegionWrites', 'meanUtilization', 'prices', 'candidates'],
      additionalProperties: false
    },
    compared: {
      type: 'object',
      properties: { predicted: { type: 'number', minimum: 0 }, measured: { type: 'number', minimum: 0 } },
      required: ['predicted', 'measured'],
      additionalProperties: false
    },
    measuredKey: {
      type: 'object',
      properties: {
        candidate: { type: 'string' },
        partitions: { type: 'integer', minimum: 1 },
        ruPerSecond: { type: 'number', minimum: 0 },
        seconds: { type: 'number', minimum: 0 },
        writes: { type: 'integer', minimum: 0 },
        usableShare: { $ref: '#/$defs/compared' },
        busiestPartitionUse: { type: 'number', minimum: 0 },
        requestMs: { type: 'number', minimum: 0 },
        writeRu: { $ref: '#/$defs/compared' },
        queries: { type: 'array', items: { $ref: '#/$defs/measuredQuery' } },
        notes: { type: 'array', items: { type: 'string' } }
      },
      required: [
        'candidate',
        'partitions',
        'ruPerSecond',
        'seconds',
        'writes',
        'usableShare',
        'busiestPartitionUse',
        'requestMs',
        'writeRu',
        'queries',
        'notes'
      ],
      additionalProperties: false
    },
    measuredQuery: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        kind: { enum: ['point', 'key', 'ranges', 'all'] },
        ranges: { $ref: '#/$defs/compared' },
        ru: { $ref: '#/$defs/compared' }
      },
      required: ['name', 'kind', 'ranges', 'ru'],
      additionalProperties: false
    },
    recipe: {
      type: 'object',
      properties: {
        plan: { anyOf: [{ $ref: '#/$defs/keyPlan' }, { type: 'null' }] },
        container: {
          type: 'object',
          properties: {
            json: { type: 'string' },
            az: { type: 'string' },
            bicep: { type: 'string' },
            terraform: { type: 'string' }
          },
          required: ['json', 'az', 'bicep', 'terraform'],
          additionalProperties: false
        },
        createRuPerSecond: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        runRuPerSecond: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        steps: { type: 'array', items: { type: 'string' } }
      },
      required: ['plan', 'container', 'createRuPerSecond', 'runRuPerSecond', 'steps'],
      additionalProperties: false
    }
  }
}

export const XRAY_REPORT_SCHEMA: Schema = {
  type: 'object',
  properties: {
    schemaVersion: { const: 1 },
    container: { $ref: '#/$defs/container' },
    looked: { $ref: '#/$defs/looked' },
    verdict: {
      type: 'object',
      properties: { kind: { enum: ['healthy', 'findings', 'unknown'] }, sentence: { type: 'string' } },
      required: ['kind', 'sentence'],
      additionalProperties: false
    },
    findings: { type: 'array', items: { $ref: '#/$defs/finding' } },
    checks: { type: 'array', items: { $ref: '#/$defs/check' } },
    ranges: { type: 'array', items: { $ref: '#/$defs/range' } },
    load: { anyOf: [{ $ref: '#/$defs/load' }, { type: 'null' }] },
    queries: { type: 'array', items: { $ref: '#/$defs/query' } },
    unseen: { type: 'array', items: { $ref: '#/$defs/unseen' } },
    plan: { anyOf: [{ type: 'object' }, { type: 'null' }] }
  },
  required: [
    'schemaVersion',
    'container',
    'looked',
    'verdict',
    'findings',
    'checks',
    'ranges',
    'load',
    'queries',
    'unseen',
    'plan'
  ],
  additionalProperties: false,
  $defs: {
    checkName: {
      enum: [
        'hot-key',
        'many-keys-in-one-range',
        'uneven-splits',
        'moving-hot-spot',
        'key-near-20-gb',
        'range-near-50-gb',
        'unusable-throughput',
        'merge-possible',
        'wide-queries'
      ]
    },
    unit: { enum: ['share', 'GB', 'partitions'] },
    container: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        partitionKey: {
          type: 'object',
          properties: {
            paths: { type: 'array', items: { type: 'string' } },
            kind: { enum: ['Hash', 'MultiHash'] },
            version: { enum: [1, 2] }
          },
          required: ['paths', 'kind', 'version'],
          additionalProperties: false
        },
        physicalPartitions: { type: 'integer', minimum: 1 },
        ruPerSecond: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        throughput: { enum: ['manual', 'autoscale', 'unknown'] },
        isShared: { type: 'boolean' },
        documents: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        gb: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] }
      },
      required: [
        'name',
        'partitionKey',
        'physicalPartitions',
        'ruPerSecond',
        'throughput',
        'isShared',
        'documents',
        'gb'
      ],
      additionalProperties: false
    },
    looked: {
      type: 'object',
      properties: {
        at: { type: 'string' },
        since: { type: 'string' },
        readSeconds: { type: 'number', minimum: 0 },
        requests: { type: 'integer', minimum: 0 },
        chargeRu: { type: 'number', minimum: 0 },
        maxRuPerSecond: { type: 'number', minimum: 0 }
      },
      required: ['at', 'since', 'readSeconds', 'requests', 'chargeRu', 'maxRuPerSecond'],
      additionalProperties: false
    },
    finding: {
      type: 'object',
      properties: {
        name: { $ref: '#/$defs/checkName' },
        title: { type: 'string' },
        value: { type: 'number', minimum: 0 },
        unit: { $ref: '#/$defs/unit' },
        reason: { type: 'string' },
        remedy: { type: 'string' },
        range: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        key: { anyOf: [{ type: 'string' }, { type: 'null' }] }
      },
      required: ['name', 'title', 'value', 'unit', 'reason', 'remedy', 'range', 'key'],
      additionalProperties: false
    },
    check: {
      type: 'object',
      properties: {
        name: { $ref: '#/$defs/checkName' },
        title: { type: 'string' },
        state: { enum: ['found', 'clear', 'unseen'] },
        value: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        unit: { $ref: '#/$defs/unit' },
        threshold: { type: 'number', minimum: 0 },
        measures: { type: 'string' }
      },
      required: ['name', 'title', 'state', 'value', 'unit', 'threshold', 'measures'],
      additionalProperties: false
    },
    range: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        min: { type: 'string' },
        max: { type: 'string' },
        hashShare: { anyOf: [{ type: 'number', minimum: 0, maximum: 1 }, { type: 'null' }] },
        throughputFraction: { type: 'number', minimum: 0, maximum: 1 },
        ruPerSecond: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        gb: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        documents: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
        loadShare: { anyOf: [{ type: 'number', minimum: 0, maximum: 1 }, { type: 'null' }] },
        largestKeys: {
          type: 'array',
          items: {
            type: 'object',
            properties: { hash: { type: 'string' }, value: { type: 'string' }, gb: { type: 'number', minimum: 0 } },
            required: ['hash', 'gb'],
            additionalProperties: false
          }
        }
      },
      required: [
        'id',
        'min',
        'max',
        'hashShare',
        'throughputFraction',
        'ruPerSecond',
        'gb',
        'documents',
        'loadShare',
        'largestKeys'
      ],
      additionalProperties: false
    },
    load: {
      type: 'object',
      properties: {
        source: { enum: ['changes', 'log'] },
        total: { type: 'number', minimum: 0 },
        perSecond: { type: 'number', minimum: 0 },
        usableShare: { type: 'number', minimum: 0, maximum: 1 },
        distinctKeys: { type: 'number', minimum: 0 },
        keys: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              hash: { type: 'string' },
              value: { type: 'string' },
              range: { type: 'string' },
              share: { type: 'number', minimum: 0, maximum: 1 }
            },
            required: ['hash', 'range', 'share'],
            additionalProperties: false
          }
        },
        windows: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              at: { type: 'string' },
              total: { type: 'number', minimum: 0 },
              shares: { type: 'array', items: { type: 'number', minimum: 0, maximum: 1 } }
            },
            required: ['at', 'total', 'shares'],
            additionalProperties: false
          }
        }
      },
      required: ['source', 'total', 'perSecond', 'usableShare', 'distinctKeys', 'keys', 'windows'],
      additionalProperties: false
    },
    query: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        perSecond: { type: 'number', minimum: 0 },
        ranges: { type: 'number', minimum: 0 },
        source: { enum: ['workload', 'log'] }
      },
      required: ['name', 'perSecond', 'ranges', 'source'],
      additionalProperties: false
    },
    unseen: {
      type: 'object',
      properties: {
        what: { type: 'string' },
        why: { type: 'string' },
        checks: { type: 'array', items: { $ref: '#/$defs/checkName' } }
      },
      required: ['what', 'why', 'checks'],
      additionalProperties: false
    }
  }
}
