import { closed, defineCollection, Type } from '@gateway/sdk'
import { Machine, PastSession, SlotLease, TaskKey, Unmerged } from './schema.ts'

const DAY = 86_400

/**
 * Each slot in use has one document. The key is the number as text, so that two sessions cannot hold the same slot. `holderId` is the
 * principal that acquired it, since the name of a holder may be that of others too.
 */
export const slotLeases = defineCollection('runners.slots', {
  schema: Type.Object({ slotId: Type.String(), ...SlotLease.properties, holderId: Type.Optional(Type.String()) }, closed),
  key: 'slotId',
})

/** Ended sessions, until `runners.retention` deletes them. */
export const pastSessions = defineCollection('runners.history', {
  schema: Type.Object({ sessionId: Type.String(), ...PastSession.properties }, closed),
  key: 'sessionId',
  indexes: [
    { keys: { releasedAt: 1 } },
    { keys: { slot: 1, releasedAt: 1 } },
    { keys: { account: 1, releasedAt: 1 }, present: 'account' },
    { keys: { account: 1, slot: 1, releasedAt: 1 }, present: 'account' },
  ],
})

/** A machine is deleted after 30 days of silence. */
export const machines = defineCollection('runners.machines', {
  schema: Machine,
  key: 'machine',
  indexes: [
    { keys: { lastHeartbeatAt: 1 }, expireAfterSeconds: 30 * DAY },
    { keys: { holder: 1, lastHeartbeatAt: -1 }, present: 'holder' },
  ],
})

/**
 * Number of executions that ended on a lane, in steps of ten minutes, and how many of them failed: the cost of counting does not depend
 * on their number.
 */
export const executions = defineCollection('runners.executions', {
  schema: Type.Object(
    {
      countId: Type.String(),
      lane: Type.String(),
      from: Type.String(),
      count: Type.Integer(),
      /** Absent in counts of earlier versions. */
      failed: Type.Optional(Type.Integer()),
    },
    closed,
  ),
  key: 'countId',
  indexes: [{ keys: { from: 1 }, expireAfterSeconds: 31 * DAY }],
})

/** The one key of each task at work. It ends with the claim; what a worker that died left behind goes after the longest lease. */
export const taskKeys = defineCollection('runners.task-keys', {
  schema: TaskKey,
  key: 'taskId',
  indexes: [{ keys: { issuedAt: 1 }, expireAfterSeconds: 8 * DAY }],
})

/** Branches that a lane merge could not merge. The lane tells each at least once a day while that lasts. */
export const unmergedBranches = defineCollection('runners.unmerged', {
  schema: Unmerged,
  key: 'taskId',
  indexes: [{ keys: { since: -1 } }, { keys: { toldAt: 1 }, expireAfterSeconds: 2 * DAY }],
})
