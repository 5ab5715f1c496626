import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const path = useTemporaryFolder()

it('keystamp rekey refuses a step at once if the move has ended', async () => {
  writeFileSync(path('journal.jsonl'), '')
  writeFileSync(path('status.json'), '{"phase":"aborted"}')
  expect(await runCommand(['rekey', 'switch', '--journal', path('.')])).toMatchObject({
    code: 4,
    stdout: 'The move has ended (aborted). Nothing was changed.\n'
  })
})
