import { closed, defineEvent, type Emitter, type Infer, type Transaction, Type } from '@gateway/sdk'
import type { Task } from '../schema.ts'

/** Emitted when a task has become claimable, or got the time at which it will be. Calls that wait for a task hear it. */
export const taskClaimable = defineEvent(
  'tasks.claimable',
  Type.Object(
    {
      taskId: Type.String(),
      repo: Type.String(),
      /** Its audience; absent while it is delayed. */
      readyFor: Type.Optional(Type.String()),
      /** End of its delay. */
      nextRetryAt: Type.Optional(Type.String()),
    },
    closed,
  ),
)
export type Claimable = Infer<(typeof taskClaimable)['payload']>

/** Tells of a written task, if it is one to claim, now or later. */
export function announceClaimable(
  emitter: Emitter<Claimable>,
  { taskId, repo, stage, readyFor, nextRetryAt }: Task,
  tx?: Transaction,
): void {
  if (stage !== 'ready' && stage !== 'delayed') return
  const news = stage === 'ready' ? { taskId, repo, readyFor } : { taskId, repo, nextRetryAt }
  if (tx === undefined) emitter.emit(news as Claimable)
  else tx.afterCommit(() => emitter.emit(news as Claimable))
}
