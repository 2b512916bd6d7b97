import { defineTool, Type } from '@gateway/sdk'
import { storableAttributes, storableText } from '@gateway/sdk/redact'
import { closed, SERVICES, STATUSES, spanSchema } from '../schema.ts'
import { storeSpan, storing } from '../store-span.ts'

/** Who is traced must not fail for it: what is too long is cut, and what cannot be stored is said in the answer and the log. */
export const tracesRecord = defineTool({
  name: 'traces_record',
  description:
    'Record a finished span of a task’s trace: its name, start, end and outcome. Secrets in texts and attributes are replaced first. Never fails its caller: returns recorded, with the span, or false with the reason.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/traces',
  input: Type.Object(
    {
      taskId: Type.String({ description: 'The trace it belongs to.' }),
      name: Type.String({ description: 'What was done.' }),
      service: Type.Optional(Type.Enum(SERVICES, { description: 'Who did it.' })),
      startMs: Type.Optional(Type.Number({ description: 'Milliseconds since 1970.' })),
      endMs: Type.Optional(Type.Number({ description: 'Milliseconds since 1970.' })),
      status: Type.Optional(Type.Enum(STATUSES, { default: 'ok' })),
      parentName: Type.Optional(Type.String({ description: 'The name of the span it is part of.' })),
      attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Whatever else there is to know.' })),
      error: Type.Optional(Type.String({ description: 'What went wrong.' })),
    },
    closed,
  ),
  output: Type.Object({ recorded: Type.Boolean(), span: Type.Optional(spanSchema), reason: Type.Optional(Type.String()) }, closed),
  uses: storing,
  async handle({ taskId, name, service, startMs, endMs, status = 'ok', parentName, attributes, error }, uses, ctx) {
    const { maxTextCharacters, maxAttributesCharacters } = uses.config
    const text = (value: string): string => storableText(value, maxTextCharacters)
    try {
      const span = await storeSpan(
        {
          taskId,
          name: text(name),
          ...(service !== undefined && { service }),
          ...(startMs !== undefined && { startMs }),
          ...(endMs !== undefined && { endMs }),
          ...(startMs !== undefined && endMs !== undefined && { durationMs: Math.min(Math.max(0, endMs - startMs), Number.MAX_VALUE) }),
          status,
          ...(parentName !== undefined && { parentName: text(parentName) }),
          ...(attributes !== undefined && { attributes: storableAttributes(attributes, maxAttributesCharacters) }),
          ...(error !== undefined && { error: text(error) }),
        },
        uses,
      )
      return { recorded: true, span }
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : String(failure)
      ctx.log.warn('a span was not recorded', { error: reason })
      return { recorded: false, reason }
    }
  },
})
