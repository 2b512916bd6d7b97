import { closed, cutShort, defineTool, LIST_BYTES, rowLimit, Type, truncated } from '@gateway/sdk'
import { spans, traces } from '../collections.ts'
import { storableTaskId } from '../rules/bounds.ts'
import { spanSchema, traceSchema } from '../schema.ts'

const ROWS = rowLimit(100, 1_000)

export const tracesList = defineTool({
  name: 'traces_list',
  description:
    'Read one trace, or find which there are. Returns, with a taskId, the spans of that trace in the order they began; without, the traces written to last, newest first, each once.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/traces',
  input: Type.Object(
    {
      taskId: Type.Optional(Type.String({ minLength: 1, description: 'Trace to read.' })),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object({ spans: Type.Optional(Type.Array(spanSchema)), traces: Type.Optional(Type.Array(traceSchema)), truncated }, closed),
  uses: { spans, traces },
  async handle({ taskId, limit: asked }, { spans, traces }) {
    const limit = ROWS.of(asked)
    if (taskId === undefined) {
      const page = await traces.find({ sort: { lastRecordedAt: -1, taskId: -1 }, limit, maxBytes: LIST_BYTES })
      return { traces: page.items.map(({ taskId, lastRecordedAt }) => ({ taskId, lastRecordedAt })), ...cutShort(page, limit) }
    }
    const page = await spans.find({
      where: { taskId: storableTaskId(taskId) },
      sort: { startMs: 1, spanId: 1 },
      limit,
      maxBytes: LIST_BYTES,
    })
    return { spans: [...page.items], ...cutShort(page, limit) }
  },
})
