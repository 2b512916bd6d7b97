import { atomically, closed, defineTool, LARGE_BODY_BYTES, Type, withIdempotencyKey } from '@gateway/sdk'
import { sessionIndex } from '../api.ts'
import { messages, sessions } from '../collections.ts'
import { config } from '../config.ts'
import { checkBundle, importSession } from '../operations/import.ts'
import { summaryOf } from '../operations/read.ts'
import { Bundle, Summary } from '../schema.ts'

export const sessionImport = defineTool({
  name: 'session_import',
  description:
    'Import a conversation from session_export, as one of this tenant. It gets a fresh id unless preserveId keeps that of the bundle, which must then be free. Returns {session}, without its messages.',
  capability: 'work',
  effect: 'write',
  bodyLimitBytes: LARGE_BODY_BYTES,
  input: withIdempotencyKey(
    Type.Object(
      {
        bundle: Bundle,
        preserveId: Type.Optional(Type.Boolean({ default: false, description: 'true: keep the id of the bundle.' })),
      },
      closed,
    ),
  ),
  output: Type.Object({ session: Summary }, closed),
  uses: { sessions, messages, config, indexes: sessionIndex, atomically },
  check: ({ bundle }) => checkBundle(bundle),
  async handle({ bundle, preserveId = false }, uses, ctx) {
    return { session: summaryOf(await importSession({ bundle, preserveId }, uses, ctx), ctx) }
  },
})
