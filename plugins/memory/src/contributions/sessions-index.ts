import { sessionIndex } from '@gateway/plugin-sessions/api'
import { contribute } from '@gateway/sdk'
import { followUses, noteChange, refreshOrigin } from '../operations/follow.ts'
import { addToOrigin } from '../operations/origins.ts'
import { documentsOfSession, originOfSession } from '../rules/session-texts.ts'

/** Finds conversations by what was said in them, from the commit of each message on. */
export const conversationsIndexed = contribute(sessionIndex, {
  uses: followUses,
  create: (uses, ctx) => ({
    add: (session, texts, tx) => addToOrigin(tx, originOfSession(session.sessionId), documentsOfSession(session, texts), uses, ctx),
    due: (sessionId, tx) => noteChange(originOfSession(sessionId), { dueOrigins: uses.dueOrigins.in(tx) }, ctx),
    refresh: async (sessionId) => void (await refreshOrigin(originOfSession(sessionId), uses, ctx)),
  }),
})
