import { closed, defineCollection, Type } from '@gateway/sdk'

/**
 * Time when a ready task was last dispatched, and the mail that offers it, so that concurrent cycles dispatch it once. Removed when the
 * task leaves the queue, and after 90 days, by when the mailbox has removed an unread offer too.
 */
export const offers = defineCollection('dispatch.offers', {
  schema: Type.Object(
    { taskId: Type.String(), to: Type.String(), offeredAt: Type.String(), messageId: Type.Optional(Type.String()) },
    closed,
  ),
  key: 'taskId',
  indexes: [{ keys: { offeredAt: 1 }, expireAfterSeconds: 90 * 86_400 }],
})

/** Number of tasks that inline_execute has run on a day (UTC). */
export const quotas = defineCollection('dispatch.quotas', {
  schema: Type.Object({ day: Type.String(), used: Type.Integer(), startedAt: Type.String() }, closed),
  key: 'day',
  indexes: [{ keys: { startedAt: 1 }, expireAfterSeconds: 7 * 86_400 }],
})

/** The last result that was mailed for a task, so that a repeated report sends it once. Kept like an offer. */
export const results = defineCollection('dispatch.results', {
  schema: Type.Object(
    {
      taskId: Type.String(),
      outcome: Type.String(),
      claimId: Type.Optional(Type.String()),
      /** Absent in results of earlier versions. */
      letterHash: Type.Optional(Type.String()),
      /** Absent if the task was gone. */
      attempt: Type.Optional(Type.String()),
      messageId: Type.String(),
      to: Type.String(),
      sentAt: Type.String(),
    },
    closed,
  ),
  key: 'taskId',
  indexes: [{ keys: { sentAt: 1 }, expireAfterSeconds: 90 * 86_400 }],
})
