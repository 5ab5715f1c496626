import { defineConfig } from 'vitest/config'

const resolve = { conditions: ['@keystamp/source'] }
const ssr = { resolve: { conditions: ['@keystamp/source'] } }

// What starts processes, waits for clocks, or runs a whole client belongs to the long run.
const slow = [
  'packages/cli/test/commands/load.test.ts',
  'packages/cli/test/load/killed-load.test.ts',
  'packages/cosmos/test/account/account.test.ts',
  'packages/cosmos/test/lease/lease.test.ts',
  'packages/cosmos/test/reader/reader.test.ts',
  'packages/emulator/test/fuzz.test.ts',
  'packages/emulator/test/sdk/**/*.test.ts',
  'test/docs/cosmos-pages.test.ts'
]

// `unit` needs no network beyond the loopback, no Java, no Maven, no build: it is the everyday loop.
export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: ['packages/*/test/**/*.test.ts', 'test/articles/**/*.test.ts', 'test/ground/**/*.test.ts', 'test/docs/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...slow],
          // the tests leave nothing behind in their process, and loading the clients anew for each file costs more than the tests
          isolate: false,
          testTimeout: 20_000
        }
      },
      {
        resolve,
        ssr,
        test: { name: 'integration', include: ['test/integration/**/*.test.ts', ...slow], testTimeout: 60_000 }
      }
    ]
  }
})
