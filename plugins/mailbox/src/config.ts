import { closed, defineConfig, Type } from '@gateway/sdk'

const days = (standard: number, env: string, description: string) =>
  Type.Integer({ default: standard, minimum: 1, maximum: 3650, env, description })

export const config = defineConfig(
  'mailbox',
  Type.Object(
    {
      retentionDays: days(30, 'MAIL_RETENTION_DAYS', 'Days a message is kept after it was sent, once it is acked.'),
      unreadRetentionDays: days(90, 'MAIL_UNREAD_RETENTION_DAYS', 'Days for which a message without an ack is kept.'),
    },
    closed,
  ),
)
