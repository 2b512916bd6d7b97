import { closed, defineTool, Type } from '@gateway/sdk'
import { recordSpan } from '../operations/record-span.ts'
import { storing } from '../operations/store-span.ts'
import { SERVICES, STATUSES, spanSchema } from '../schema.ts'

export const tracesRecord = defineTool({
  name: 'traces_record',
  description:
    'Record a finished span of a task’s trace: its name, start, end and outcome. Secrets in texts and attributes are replaced first. Never fails its caller: returns recorded, with the span, or false with the reason.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/traces',
  repairsText: true,
  input: Type.Object(
    {
      taskId: Type.String({ description: 'Trace that the span belongs to; cut after 500 characters.' }),
      name: Type.String({ description: 'Name of the step.' }),
      service: Type.Optional(Type.Enum(SERVICES, { description: 'Part of the system that did it.' })),
      startMs: Type.Optional(Type.Number({ description: 'Milliseconds since 1970.' })),
      endMs: Type.Optional(Type.Number({ description: 'Milliseconds since 1970; left out if before startMs.' })),
      status: Type.Optional(Type.Enum(STATUSES, { default: 'ok' })),
      parentName: Type.Optional(Type.String({ description: 'Name of the parent span.' })),
      attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Additional data.' })),
      error: Type.Optional(Type.String({ description: 'Error, if it failed.' })),
    },
    closed,
  ),
  output: Type.Object({ recorded: Type.Boolean(), span: Type.Optional(spanSchema), reason: Type.Optional(Type.String()) }, closed),
  uses: storing,
  handle: (span, uses, ctx) => recordSpan(span, uses, ctx),
})
