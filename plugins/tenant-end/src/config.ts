import { closed, defineConfig, Type } from '@gateway/sdk'

const days = (preset: number, env: string, description: string, minimum: number) =>
  Type.Integer({ default: preset, minimum, maximum: 3_650, env, description })
const price = (preset: number) => Type.Number({ default: preset, minimum: 0 })

export const config = defineConfig(
  'tenant-end',
  Type.Object(
    {
      erasureGraceDays: days(14, 'ERASURE_GRACE_DAYS', 'Days between a request for erasure and the erasure.', 0),
      cancellationGraceDays: days(30, 'CANCELLATION_PURGE_GRACE_DAYS', 'Days between a cancellation and the purge.', 0),
      auditRetentionDays: days(400, 'AUDIT_RETENTION_DAYS', 'Days a day-file of the audit trail is kept.', 1),
      planUsd: Type.Object(
        { free: price(0), solo: price(20), team: price(100), scale: price(500) },
        { ...closed, default: {}, description: 'Monthly price of each plan, for the revenue snapshots.' },
      ),
    },
    closed,
  ),
)
