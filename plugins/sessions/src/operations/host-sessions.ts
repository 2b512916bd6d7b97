import type { RepoClue, RepoResolver } from '@gateway/plugin-repos/api'
import { type CallContext, type Collection, Conflict, defined, type Infer, now, pages, principalName } from '@gateway/sdk'
import type { HostSession, SessionKeeper } from '../api.ts'
import type { config } from '../config.ts'
import type { StoredSession } from '../schema.ts'
import { endSession } from './end-session.ts'
import { firstBranch } from './session-of-host.ts'

export interface HostUses {
  readonly sessions: Collection<StoredSession>
  readonly keepers: readonly SessionKeeper[]
  readonly resolver: RepoResolver | undefined
  readonly config: Infer<typeof config.schema>
}
export interface Beginning extends RepoClue {
  readonly sessionId: string
  readonly host: string
  readonly machine?: string | undefined
  readonly process?: string | undefined
  readonly taskId?: string | undefined
}

/** Maximum number of the newest sessions of a repo, and of the oldest of its machine, that one beginning is told. */
const MAX_NEWEST = 20
const MAX_OF_MACHINE = 100
/** Maximum number of silent sessions that one beginning ends, and of those that it tries to end. */
const MAX_ENDED = 20
const MAX_TRIED = 100

/** Registers a session, or continues one that is known. The sessions of its repo that went silent are ended by the way. */
export async function beginSession({ sessionId, host, machine, process, taskId, ...clue }: Beginning, uses: HostUses, ctx: CallContext) {
  const known = await uses.sessions.get(sessionId)
  if (known && known.host === undefined)
    throw Conflict({ message: `The session ${sessionId} is a conversation with an agent, not a session of a host.`, field: 'sessionId' })
  const repo = known?.repo ?? (await repoOf(clue, uses))
  const at = ctx.now().toISOString()
  await endSilent(repo, sessionId, uses, ctx)
  const session: HostSession = { sessionId, host, repo, startedAt: known?.createdAt ?? at, ...defined({ machine, taskId }) }
  const branch = await firstBranch(session, uses.keepers)
  const facts = { host, repo, principal: principalName(ctx.principal), ...defined({ machine, process, taskId, branch }) }
  const first: StoredSession = {
    sessionId,
    agentName: host,
    status: 'active',
    createdAt: at,
    updatedAt: at,
    messageCount: 0,
    bytes: 0,
    ...facts,
  }
  await uses.sessions.upsert(first, { set: { ...facts, status: 'active', updatedAt: now() }, unset: ['closedAt', 'ending'] })
  return { sessionId, repo, ...defined({ branch }), unfinished: await unfinished(repo, sessionId, machine, uses) }
}

async function repoOf(clue: RepoClue, { resolver }: HostUses): Promise<string> {
  return (await resolver?.resolve(clue, { stores: true }))?.name ?? clue.repo ?? 'master'
}

/**
 * Sessions of a repo that have not ended, for a hook that knows whether the processes of its machine still run: those of its machine
 * first, the oldest of them before newer ones, since they are the likeliest to be dead.
 */
async function unfinished(repo: string, own: string, machine: string | undefined, { sessions }: Pick<HostUses, 'sessions'>) {
  const where = { repo, status: 'active' } as const
  const found = [
    ...(machine === undefined
      ? []
      : (await sessions.find({ where: { ...where, machine }, sort: { updatedAt: 1 }, limit: MAX_OF_MACHINE })).items),
    ...(await sessions.find({ where, sort: { updatedAt: -1 }, limit: MAX_NEWEST })).items,
  ]
  const others = new Map(found.map((session) => [session.sessionId, session]))
  others.delete(own)
  return [...others.values()].map(({ sessionId, machine, process }) => ({ sessionId, ...defined({ machine, process }) }))
}

async function endSilent(repo: string, own: string, uses: HostUses, ctx: CallContext): Promise<void> {
  const limit = new Date(ctx.now().getTime() - uses.config.silentMinutes * 60_000).toISOString()
  const where = { repo, status: 'active', updatedAt: { lt: limit } } as const
  let [ended, tried] = [0, 0]
  for await (const silent of pages(uses.sessions, { where, sort: { updatedAt: 1 }, limit: MAX_ENDED }))
    for (const { sessionId } of silent) {
      if (sessionId === own) continue
      if (ended === MAX_ENDED || tried === MAX_TRIED) return
      tried++
      try {
        await endSession(sessionId, { ending: 'silent', commits: [], uncommitted: [] }, uses, ctx)
        ended++
      } catch (error) {
        // The new session begins all the same; the branch is tried again by the next one, and listed until then.
        ctx.log.warn('A silent session was not ended', { sessionId, err: error })
      }
    }
}
