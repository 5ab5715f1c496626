import { JsonReporter } from 'vitest/node'

/** Vitest's JSON report, with the reason of each skipped test in its `meta`. */
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
