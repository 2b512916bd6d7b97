import { closed, defineCollection, Type } from '@gateway/sdk'
import { meterSchema, reservationSchema, spendSchema, sumSchema } from './schema.ts'

export const spend = defineCollection('budgets.spend', {
  schema: spendSchema,
  key: 'createdAt',
  indexes: [
    { keys: { createdAt: -1 } },
    { keys: { channel: 1, createdAt: -1 } },
    { keys: { provider: 1, createdAt: -1 } },
    { keys: { member: 1, createdAt: -1 } },
  ],
})

/** Sums kept with each row, so that no report counts rows of whole days. */
export const sums = defineCollection('budgets.sums', {
  schema: sumSchema,
  key: 'sumId',
  indexes: [{ keys: { dimension: 1, day: 1 } }, { keys: { day: 1 } }],
})

export const meters = defineCollection('budgets.meters', {
  schema: meterSchema,
  key: 'meterId',
  indexes: [{ keys: { since: 1 } }, { keys: { kind: 1, spentNanos: -1 }, present: 'kind' }],
})

export const reservations = defineCollection('budgets.reservations', {
  schema: reservationSchema,
  key: 'callId',
  indexes: [{ keys: { expiresAt: 1 }, acrossTenants: true }],
})

/** Time of the last row; the next one is later. */
export const lastRow = defineCollection('budgets.last-row', {
  schema: Type.Object({ name: Type.String(), ms: Type.Integer() }, closed),
  key: 'name',
})
