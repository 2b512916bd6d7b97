import { atomically, type CallContext, type Collection, Conflict, type Resolved } from '@gateway/sdk'
import { hashOf, newSecret } from '@gateway/sdk/secrets'
import { sessions } from '../collections.ts'
import { config } from '../config.ts'
import { writeTicket } from '../rules/cookies.ts'
import type { SignedInAs, StoredSession } from '../schema.ts'

export const beginUses = { sessions, atomically, config }
type Refs = Resolved<typeof beginUses>

/** Limit per caller; the oldest ends for one more. */
const MAX_OF_CALLER = 20
/** Limit per tenant. */
const MAX_OF_TENANT = 1_000
const MAX_CLIENT = 200

export interface Begun {
  readonly session: StoredSession
  /** Content of the cookie, which is seen only here. */
  readonly ticket: string
  readonly seconds: number
}

export function begin({ sessions, atomically, config }: Refs, who: SignedInAs, client: unknown, ctx: CallContext): Promise<Begun> {
  const draft = newSession(who, { tenantId: ctx.tenantId, seconds: config.sessionHours * 3_600, client }, ctx)
  return atomically(async (tx) => {
    await keep(sessions.in(tx), draft.session, ctx)
    return draft
  })
}

export function newSession(
  who: SignedInAs & { readonly lookedBy?: string },
  { tenantId, seconds, client }: { tenantId: string; seconds: number; client: unknown },
  ctx: CallContext,
): Begun {
  const secret = newSecret()
  const now = ctx.now()
  const session: StoredSession = {
    ...who,
    sessionId: ctx.newId('session-'),
    hash: hashOf(secret),
    ...(typeof client === 'string' && client !== '' && { client: client.slice(0, MAX_CLIENT) }),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + seconds * 1_000).toISOString(),
  }
  return { session, ticket: writeTicket({ tenantId, sessionId: session.sessionId, secret }), seconds }
}

/** CONFLICT if the tenant has the maximum number. */
export async function keep(sessions: Collection<StoredSession>, session: StoredSession, ctx: CallContext): Promise<void> {
  const alive = { expiresAt: { gt: ctx.now().toISOString() } }
  if ((await sessions.count(alive, { max: MAX_OF_TENANT })) >= MAX_OF_TENANT)
    throw Conflict({ message: `${MAX_OF_TENANT} browsers are signed in, the maximum of a tenant; end some at /api/sign-ins.` })
  const { callerId } = session
  const { items } = await sessions.find({ where: { callerId }, sort: { createdAt: -1 }, limit: MAX_OF_CALLER + 1 })
  for (const { sessionId } of items.slice(MAX_OF_CALLER - 1)) await sessions.deleteOne(sessionId)
  await sessions.insert(session)
}
