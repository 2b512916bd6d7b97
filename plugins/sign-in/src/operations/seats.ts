import type { Resolved } from '@gateway/sdk'
import type { invitations, members } from '../collections.ts'

type Refs = Resolved<{ readonly invitations: typeof invitations; readonly members: typeof members }>

/** Invitations of a tenant that wait. */
export const MAX_WAITING = 100

export async function seatsOf({ invitations, members }: Refs, now: Date): Promise<{ readonly people: number; readonly waiting: number }> {
  const [people, waiting] = await Promise.all([
    members.count({}),
    invitations.count({ expiresAt: { gt: now.toISOString() } }, { max: MAX_WAITING }),
  ])
  return { people, waiting }
}
