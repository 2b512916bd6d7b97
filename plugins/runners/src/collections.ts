import { closed, defineCollection, Type } from '@gateway/sdk'
import { Machine, PastSession, SlotLease } from './schema.ts'

const DAY = 86_400

/** One document for each slot that is held. The key is the number as text, so that two sessions cannot stand in one slot. */
export const slotLeases = defineCollection('runners.slots', {
  schema: Type.Object({ slotId: Type.String(), ...SlotLease.properties }, closed),
  key: 'slotId',
})

/** Sessions that ended, until `runners.retention` takes them. */
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

/** A machine is forgotten after 30 days of silence. */
export const machines = defineCollection('runners.machines', {
  schema: Machine,
  key: 'machine',
  indexes: [{ keys: { lastHeartbeatAt: 1 }, expireAfterSeconds: 30 * DAY }],
})

/**
 * How many executions ended on a lane, in steps of ten minutes: counting them costs the same however many there were.
 */
export const executions = defineCollection('runners.executions', {
  schema: Type.Object({ countId: Type.String(), lane: Type.String(), from: Type.String(), count: Type.Integer() }, closed),
  key: 'countId',
  indexes: [{ keys: { from: 1 }, expireAfterSeconds: 31 * DAY }],
})
