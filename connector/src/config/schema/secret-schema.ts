import * as z from 'zod'
import { createSecret } from '../secret.ts'
import type { Secret } from '../settings.ts'

/** A text that is wrapped as soon as it is read; `writeOnly` marks it in the schema. */
export function secret(says: string): z.ZodType<Secret | undefined, string | undefined> {
  return z
    .string()
    .min(1)
    .transform(createSecret)
    .optional()
    .meta({ title: 'secret', writeOnly: true, description: `${says} Best as a reference: \`\${env:NAME}\` or \`\${file:path}\`.` })
}
