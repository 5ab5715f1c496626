// Imports each file of the command line. Then prints, as JSON, the output and the error of each file.
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'

const results = []
for (const file of process.argv.slice(2)) {
  const lines = []
  console.log = (...values) => lines.push(...format(...values).split('\n'))
  let error = ''
  try {
    await import(pathToFileURL(file).href)
  } catch (thrown) {
    error = String(thrown)
  }
  results.push({ lines, error })
}
process.stdout.write(JSON.stringify(results), () => process.exit(0))
