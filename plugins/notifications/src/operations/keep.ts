import {
  atomically,
  type CallContext,
  closed,
  DAY_MS,
  defined,
  defineEvent,
  now,
  type Resolved,
  type Transaction,
  Type,
} from '@gateway/sdk'
import { takePlaces } from '@gateway/sdk/ring'
import { history, rings } from '../collections.ts'
import { config } from '../config.ts'
import { LEVELS, type Notification } from '../schema.ts'

/** An alert as kept for its tenant, for outside subscribers that the operator's channels do not reach. */
export const alertKept = defineEvent(
  'notifications.alert',
  Type.Object(
    {
      notificationId: Type.String(),
      level: Type.Enum(LEVELS),
      title: Type.Optional(Type.String()),
      message: Type.String(),
      source: Type.Optional(Type.String()),
      createdAt: Type.String(),
    },
    closed,
  ),
  { public: 'An alert was raised: something needs attention. In a storm of alerts only the first of each minute are sent.' },
)

export const keeping = { history, rings, config, atomically, alertKept }
type Refs = Resolved<typeof keeping>

/** An attempt that is not over by then was killed, and is repeated. */
export const ATTEMPT_SECONDS = 120

type Draft = Omit<Notification, 'notificationId' | 'createdAt' | 'nextTryAt'>

/** Adds a notification to the ring of the caller's tenant. With `attempts` it is tried until it is delivered. */
export async function keep(refs: Refs, draft: Draft, tx: Transaction): Promise<Notification> {
  const past = new Date(tx.now.getTime() - refs.config.retentionDays * DAY_MS).toISOString()
  const ring = {
    states: refs.rings,
    documents: refs.history,
    key: 'notificationId',
    prefix: 'notification-',
    max: refs.config.historyLimit,
    isPast: ({ createdAt }: Notification) => createdAt < past,
  } as const
  const [notificationId] = (await takePlaces(ring, 1, tx)) as [string]
  const due = new Date(tx.now.getTime() + ATTEMPT_SECONDS * 1_000).toISOString()
  const attempt = draft.attempts === undefined ? {} : { nextTryAt: due }
  const createdAt = tx.now.toISOString()
  const kept = await refs.history.in(tx).insert({ notificationId, ...draft, createdAt, ...attempt })
  const { kind, level, title, message, source } = draft
  if (kind === 'alert') await refs.alertKept.emit({ notificationId, level, message, createdAt, ...defined({ title, source }) }, tx)
  return kept
}

/**
 * Keeps a notification, but a store that does not answer must not keep its result from the caller: then it returns `undefined`
 * and logs.
 */
export async function tryToKeep(refs: Refs, draft: Draft, ctx: CallContext): Promise<Notification | undefined> {
  try {
    return await refs.atomically((tx) => keep(refs, draft, tx))
  } catch (error) {
    ctx.log.error('a notification could not be kept', { err: error })
    return undefined
  }
}

/** Outcome of an attempt; `seconds` until the next one, if there is one. */
export async function keepAttempt(
  refs: Refs,
  { notificationId, attempts = 0 }: Notification,
  results: Notification['results'],
  seconds: number | undefined,
): Promise<void> {
  const set = { results, attempts: attempts + 1 }
  const next = seconds === undefined ? { set, unset: ['nextTryAt'] as const } : { set: { ...set, nextTryAt: now(seconds) } }
  await refs.history.updateOne(notificationId, next, { attempts })
}
