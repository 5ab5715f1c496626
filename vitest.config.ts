import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/meta/longest-first.ts'

const resolve = { conditions: ['@keystamp/source'] }
const ssr = { resolve: { conditions: ['@keystamp/source'] } }

// a run says the same of one commit, whoever runs it
const setupFiles = ['test/meta/seed.ts']

// A test that waits for an event has the time limit of the test. By default, `expect.poll` gives up after one second.
const expect = { poll: { timeout: 20_000 } }

const together = {
  expect,
  // the tests leave nothing behind in their process, and loading the clients anew for each file costs more than the
  // tests
  isolate: false,
  // by default one processor is left alone, which of two is half
  maxWorkers: '100%'
}

const integration = {
  setupFiles,
  expect,
  globalSetup: 'test/e2e/kafka-fixture.ts',
  // tests of one file that run at the same time
  maxConcurrency: 4,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // most of these tests wait for other processes
  maxWorkers: 3,
  // after the unit tests
  sequence: { groupOrder: 1 }
}

// these replace modules
const ISOLATED = ['**/*.isolated.int.test.ts']

// The suffix of a file says its kind:
//   *.test.ts       unit: needs no network beyond the loopback, no Java, no Maven, no build: the everyday loop
//   *.long.test.ts  tries very many values, and is otherwise like a unit test
//   *.int.test.ts   starts processes, waits for clocks, or runs a whole client; *.isolated.int.test.ts has modules of its own
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
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
          include: ['{packages/*,connector,scripts}/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.{int,long}.test.ts'],
          ...together,
          testTimeout: 20_000
        }
      },
      {
        resolve,
        ssr,
        test: { name: 'long', setupFiles, include: ['**/*.long.test.ts'], ...together, testTimeout: 60_000 }
      },
      {
        resolve,
        ssr,
        test: {
          ...integration,
          name: 'integration',
          include: ['**/*.int.test.ts'],
          exclude: ['**/node_modules/**', ...ISOLATED],
          isolate: false
        }
      },
      {
        resolve,
        ssr,
        test: { ...integration, name: 'isolated', include: ISOLATED, exclude: ['**/node_modules/**'] }
      }
    ]
  }
})
