import {
  closed,
  cutShort,
  defined,
  defineTool,
  type Filter,
  foldCase,
  LIST_BYTES,
  ListFill,
  repairText,
  rowLimit,
  scan,
  Type,
  truncated,
} from '@gateway/sdk'
import { logs } from '../collections.ts'
import { LEVELS, type Log, logSchema, SERVICES } from '../schema.ts'

const ROWS = rowLimit(200, 2_000, 'Lines')
/** The end of the year 9999: the text of a later time sorts before all lines. */
const LAST_MS = 253_402_300_799_999
const newestFirst = { createdAt: -1, logId: -1 } as const

export const logsList = defineTool({
  name: 'logs_list',
  description:
    'Search the log lines by correlation id, service, level, text and time. Returns the lines that match all conditions, newest first.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/logs',
  input: Type.Object(
    {
      correlationId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      service: Type.Optional(Type.Enum(SERVICES)),
      level: Type.Optional(Type.Enum(LEVELS, { description: 'Only this level.' })),
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'Part of the message, in any case.' })),
      since: Type.Optional(Type.Number({ minimum: 0, maximum: LAST_MS, description: 'Oldest time; milliseconds since 1970.' })),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object({ logs: Type.Array(logSchema), truncated }, closed),
  uses: { logs },
  async handle({ correlationId, service, level, q, since, limit }, { logs }, ctx) {
    const where: Filter<Log> = {
      ...defined({ correlationId: repairText(correlationId) }),
      service: service ?? { in: [...SERVICES, null] },
      level: level ?? { in: LEVELS },
      ...(since !== undefined && { createdAt: { gte: new Date(Math.ceil(since)).toISOString() } }),
    }
    const query = { where, sort: newestFirst }
    const rows = ROWS.of(limit)
    if (q === undefined) {
      const page = await logs.find({ ...query, limit: rows, maxBytes: LIST_BYTES })
      return { logs: [...page.items], ...cutShort(page, rows) }
    }
    const wanted = foldCase(q)
    const found = new ListFill<Log>(rows)
    for await (const log of scan(logs, query, ctx)) {
      if (foldCase(log.message).includes(wanted)) found.add(log)
      if (found.isFull) break
    }
    return { logs: found.rows, ...found.cutShort }
  },
})
