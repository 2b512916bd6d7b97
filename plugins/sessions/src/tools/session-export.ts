import { closed, defineTool, Type } from '@gateway/sdk'
import { messages, sessions } from '../collections.ts'
import { config } from '../config.ts'
import { detailOf, sessionOf } from '../operations/read.ts'
import { BUNDLE_VERSION, Session, sessionId } from '../schema.ts'

export const sessionExport = defineTool({
  name: 'session_export',
  description:
    'Export a conversation with an agent, whole, for session_import here or on another gateway. Returns the bundle {version, exportedAt, session}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ sessionId }, closed),
  output: Type.Object({ version: Type.Literal(BUNDLE_VERSION), exportedAt: Type.String(), session: Session }, closed),
  uses: { sessions, messages, config },
  async handle({ sessionId }, uses, ctx) {
    const session = await detailOf(await sessionOf(sessionId, uses.sessions), uses, ctx)
    return { version: BUNDLE_VERSION as typeof BUNDLE_VERSION, exportedAt: ctx.now().toISOString(), session }
  },
})
