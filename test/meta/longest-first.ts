import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take longest. Each of them at the end of a run would leave the other processors without work. */
const LONGEST = [
  'packages/move/test/workers.test.ts',
  'packages/cli/test/rekey/killed-move.int.test.ts',
  'test/meta/installed-packages.int.test.ts',
  'test/e2e/sink/switch-kills.int.test.ts',
  'test/faults/sink/faults.int.test.ts',
  'packages/cli/test/rekey/rekey.int.test.ts',
  'packages/cli/test/rekey/frozen-worker.int.test.ts',
  'packages/cli/test/rekey/workers.int.test.ts'
]

/** Order of test files: in each project the longest come first, the others as vitest sorts them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of vitest, not of an array
    const sorted = await super.sort(files)
    return [...new Set(sorted.map(({ project }) => project))].flatMap((each) => {
      const those = sorted.filter(({ project }) => project === each)
      const longest = LONGEST.flatMap((name) => those.filter(({ moduleId }) => moduleId.endsWith(`/${name}`)))
      return [...longest, ...those.filter((file) => !longest.includes(file))]
    })
  }
}
