import { closed, defineRoute, Type } from '@gateway/sdk'
import { writeLines, writing } from '../operations/write.ts'
import { lineSchema } from '../schema.ts'
import { MAX_BATCH } from '../services/batches.ts'

/** For callers with many lines at once, such as a runner that ships its log: one call costs about as much as one line. */
export const recordBatch = defineRoute({
  name: 'logs.batch',
  description: 'Write many log lines in order, all or none, each as logs_record takes it. Returns their number.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/logs/batch',
  status: 201,
  repairsText: true,
  input: Type.Object(
    { lines: Type.Array(lineSchema, { minItems: 1, maxItems: MAX_BATCH, description: `Log lines, at most ${MAX_BATCH}.` }) },
    closed,
  ),
  output: Type.Object({ recorded: Type.Integer() }, closed),
  uses: writing,
  handle: async ({ lines }, uses, ctx) => ({ recorded: (await writeLines(lines, uses, ctx)).length }),
})
