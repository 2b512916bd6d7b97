import { atLeast, type CallContext, type Collection, Forbidden, NotFound } from '@gateway/sdk'
import type { StoredMember } from '../schema.ts'

/** Finds a member whom the caller may manage. Throws NOT_FOUND, and FORBIDDEN for a member of a higher role than the caller's. */
export async function managedMember(
  members: Pick<Collection<StoredMember>, 'get'>,
  memberId: string,
  ctx: CallContext,
): Promise<StoredMember> {
  const found = await members.get(memberId)
  if (!found) throw NotFound({ what: 'member', id: memberId })
  if (!atLeast(ctx.principal.role, found.role))
    throw Forbidden({ message: `memberId must be of a member of at most your role, ${ctx.principal.role}; this one is ${found.role}.` })
  return found
}
