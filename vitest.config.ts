import { defineConfig } from 'vitest/config'

const resolve = { conditions: ['@keystamp/source'] }
const ssr = { resolve: { conditions: ['@keystamp/source'] } }

// What tries very many values is for the long run, and otherwise like the unit tests.
const long = [
  'connector/test/decode/avro/hostile-bytes.test.ts',
  'packages/core/test/hash/even-labels.test.ts',
  'packages/core/test/hash/suffix-spread.test.ts',
  'packages/core/test/hash/vectors.test.ts',
  'packages/cosmos/test/dispatch/lanes.test.ts',
  'packages/cosmos/test/dispatch/router.test.ts',
  'packages/emulator/test/model.test.ts',
  'packages/emulator/test/query/fuzz.test.ts',
  'packages/emulator/test/query/rewrite-query.test.ts',
  'test/articles/b-partitioning.test.ts'
]

// What starts processes, waits for clocks, or runs a whole client.
const slow = [
  'connector/test/sink.test.ts',
  'connector/test/kafka/bounded-memory.test.ts',
  'connector/test/{check,dead-letter,kafka}/kafkajs-*.test.ts',
  'packages/cli/test/commands/load/**/*.test.ts',
  'packages/cli/test/commands/sink.test.ts',
  'packages/cli/test/load/killed-load.test.ts',
  'packages/cosmos/test/client/account.test.ts',
  'packages/cosmos/test/budget/lease.test.ts',
  'packages/cosmos/test/reader/reading/**/*.test.ts',
  'packages/emulator/test/docs.test.ts',
  'packages/emulator/test/fuzz.test.ts',
  'packages/emulator/test/sdk/**/*.test.ts',
  'test/docs/cosmos-pages.test.ts',
  'test/docs/*.int.test.ts',
  'test/docs/load-and-read.test.ts',
  'test/docs/stream-pages.test.ts'
]

// a run says the same of one commit, whoever runs it
const setupFiles = ['test/properties/seed.ts']

const together = {
  // the tests leave nothing behind in their process, and loading the clients anew for each file costs more than the tests
  isolate: false,
  // by default one processor is left alone, which of two is half
  maxWorkers: '100%'
}

// `unit` needs no network beyond the loopback, no Java, no Maven, no build: it is the everyday loop.
export default defineConfig({
  test: {
    // `npm run coverage` runs the unit tests only: what just the integration tests reach counts as not covered
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'connector/src/**/*.ts'],
      exclude: ['**/*.d.ts'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'coverage',
      reportOnFailure: true,
      // a little below what is measured: raise them as it grows
      thresholds: { statements: 89, branches: 85, functions: 87, lines: 90 }
    },
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          setupFiles,
          include: [
            'packages/*/test/**/*.test.ts',
            'connector/test/**/*.test.ts',
            'test/articles/**/*.test.ts',
            'test/ground/**/*.test.ts',
            'test/docs/**/*.test.ts',
            'scripts/test/**/*.test.ts'
          ],
          exclude: ['**/node_modules/**', ...long, ...slow],
          ...together,
          testTimeout: 20_000
        }
      },
      { resolve, ssr, test: { name: 'long', setupFiles, include: long, ...together, testTimeout: 60_000 } },
      {
        resolve,
        ssr,
        // one file after the other, behind the unit tests: several of them measure time
        test: {
          name: 'integration',
          setupFiles,
          include: ['test/integration/**/*.test.ts', ...slow],
          globalSetup: 'test/integration/kafka-desk.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
