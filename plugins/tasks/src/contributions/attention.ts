import { type Action, type AttentionItem, type AttentionSource, arg, attentionSource, contribute, cutText, DAY_SECONDS } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { byRank } from '../operations/selection.ts'
import { tasksMove } from '../routes/move.ts'
import { moveBack, reviewActions } from '../rules/review-actions.ts'
import { reviewText } from '../rules/review-text.ts'
import type { Task } from '../schema.ts'

/** Beyond it only “many” matters. */
const COUNT_UP_TO = 1_000
const taskId = arg.row('/id')

/** Makes a task that has stopped claimable again. */
const retry: Action<unknown> = {
  id: 'retry',
  label: 'Let it run',
  icon: 'play',
  tool: tasksMove,
  arguments: { taskId, status: 'pending' },
  all: 'Let all run',
  undo: moveBack,
}

/** Tasks that have used up their retries wait for a person. */
export const deadLettersWait = source({
  kind: 'dead-letter',
  stage: 'dead_letter',
  tone: 'bad',
  actions: [retry],
  shown: ({ title, lastError }) => ({ title: `Task “${title}” has failed for good`, text: lastError }),
})

/** Work in review waits until a person accepts it or sends it back, or its pull request ends. */
export const reviewsWait = source({
  kind: 'review',
  stage: 'review',
  tone: 'warn',
  alertAfterSeconds: DAY_SECONDS,
  actions: reviewActions(taskId),
  shown: (task) => ({ title: `Task “${task.title}” is in review`, text: reviewText(task) }),
})

/** Blocked tasks wait until a person lets them run, or removes them. */
export const blockedWait = source({
  kind: 'blocked',
  stage: 'blocked',
  tone: 'warn',
  alertAfterSeconds: DAY_SECONDS,
  actions: [retry],
  shown: ({ title, lastError, notes }) => ({ title: `Task “${title}” is blocked`, text: lastError ?? notes?.slice(-300) }),
})

interface Kind extends Pick<AttentionSource, 'kind' | 'alertAfterSeconds' | 'actions'>, Pick<AttentionItem, 'tone'> {
  readonly stage: 'dead_letter' | 'review' | 'blocked'
  readonly shown: (task: Task) => { readonly title: string; readonly text: string | undefined }
}

function source({ stage, tone, shown, ...of }: Kind): ReturnType<typeof contribute<AttentionSource>> {
  return contribute(attentionSource, {
    uses: { tasks },
    create: ({ tasks }): AttentionSource => ({
      ...of,
      capability: 'work',
      async look(limit) {
        const where = { stage }
        const [count, { items }] = await Promise.all([tasks.count(where, { max: COUNT_UP_TO }), tasks.find({ where, sort: byRank, limit })])
        return { count, items: items.map(item) }
      },
    }),
  })

  function item(task: Task): AttentionItem {
    const { taskId, updatedAt } = task
    const { title, text } = shown(task)
    const link = { to: '/tasks/:taskId', with: { taskId } }
    return { id: taskId, title, ...(text !== undefined && { text: cutText(text, 300) }), tone, at: updatedAt, link }
  }
}
