import { type Collection, defined, NotFound } from '@gateway/sdk'
import type { HostSession, SessionKeeper } from '../api.ts'
import type { StoredSession } from '../schema.ts'

export interface KeeperUses {
  readonly sessions: Collection<StoredSession>
  readonly keepers: readonly SessionKeeper[]
}

export async function hostSession(sessionId: string, { sessions }: Pick<KeeperUses, 'sessions'>): Promise<StoredSession> {
  const session = await sessions.get(sessionId)
  if (session?.host === undefined) throw NotFound({ what: 'session of a host', id: sessionId })
  return session
}

export const hostView = ({ sessionId, host = '', repo = '', createdAt, machine, taskId, branch }: StoredSession): HostSession => ({
  sessionId,
  host,
  repo,
  startedAt: createdAt,
  ...defined({ machine, taskId, branch }),
})

/** Begins a session with all keepers, or continues it. Returns the branch that keeps its work apart. */
export async function firstBranch(session: HostSession, keepers: readonly SessionKeeper[]): Promise<string | undefined> {
  const answers = await Promise.all(keepers.map((keeper) => keeper.begun(session)))
  return answers.find(({ branch }) => branch !== undefined)?.branch
}
