import { closed, defineTool, Type } from '@gateway/sdk'
import { writeLines, writing } from '../operations/write.ts'
import { type Log, lineSchema, logSchema } from '../schema.ts'

export const logsRecord = defineTool({
  name: 'logs_record',
  description:
    'Write one structured log line under a correlation id, by custom the taskId. Secrets in message and attributes are replaced first. Returns the line as it was stored.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/logs',
  status: 201,
  repairsText: true,
  input: lineSchema,
  output: Type.Object({ log: logSchema }, closed),
  uses: writing,
  handle: async (line, uses, ctx) => ({ log: (await writeLines([line], uses, ctx))[0] as Log }),
})
