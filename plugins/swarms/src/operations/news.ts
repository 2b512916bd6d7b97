import { closed, defined, defineEvent, Type } from '@gateway/sdk'
import { STATUSES, type Swarm } from '../schema.ts'

const about = {
  swarmId: Type.String(),
  repo: Type.String(),
  goal: Type.String(),
  status: Type.Enum(STATUSES),
  childCount: Type.Integer(),
  at: Type.String(),
}
const summaryOf = ({ swarmId, repo, goal, status, childCount, updatedAt }: Swarm) => ({
  swarmId,
  repo,
  goal,
  status,
  childCount,
  at: updatedAt,
})

export const swarmPlanned = defineEvent('swarms.planned', Type.Object({ ...about, plannedBy: Type.String() }, closed), {
  public: 'A swarm was planned and waits for its approval.',
})
export const plannedNews = (swarm: Swarm) => ({ ...summaryOf(swarm), plannedBy: swarm.plannedBy })

export const swarmApproved = defineEvent('swarms.approved', Type.Object({ ...about, approvedBy: Type.String() }, closed), {
  public: 'A swarm was approved, or continues after a stop: its children may be claimed.',
})
export const approvedNews = (swarm: Swarm) => ({ ...summaryOf(swarm), approvedBy: swarm.approvedBy ?? '' })

export const swarmStopped = defineEvent(
  'swarms.stopped',
  Type.Object(
    { ...about, by: Type.Enum(['caller', 'budget']), stoppedBy: Type.Optional(Type.String()), reason: Type.Optional(Type.String()) },
    closed,
  ),
  { public: 'A swarm was stopped by a caller, or paused because its budget of tokens is used up.' },
)
export const stoppedNews = (swarm: Swarm) =>
  swarm.pausedBy === 'budget'
    ? { ...summaryOf(swarm), by: 'budget' as const }
    : { ...summaryOf(swarm), by: 'caller' as const, ...defined({ stoppedBy: swarm.stoppedBy, reason: swarm.stopReason }) }
