import { JsonReporter } from 'vitest/node'

/** Vitest's JSON reporter, which adds the reason of each skipped test to its `meta`. */
// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by its default export
export default class ReasonReporter extends JsonReporter {
  onTestRunEnd(testModules) {
    for (const module of testModules) {
      for (const test of module.children.allTests('skipped')) {
        const { note } = test.result()
        if (note !== undefined) test.meta().reason = note
      }
    }
    return super.onTestRunEnd(testModules)
  }
}
