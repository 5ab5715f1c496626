import { defineConfig } from 'vitest/config'

const resolve = { conditions: ['@keystamp/source'] }
const ssr = { resolve: { conditions: ['@keystamp/source'] } }

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
          // the tests leave nothing behind in their process, and loading the clients anew for each file costs more than the tests
          isolate: false,
          testTimeout: 20_000
        }
      },
      {
        resolve,
        ssr,
        test: { name: 'integration', include: ['test/integration/**/*.test.ts'], testTimeout: 60_000 }
      }
    ]
  }
})
