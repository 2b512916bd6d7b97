import { type Argument, arg } from '@gateway/sdk'

/** Takes a change of the status back, unless the task has changed again since. */
export const backTo = (status: Argument<never> | string) =>
  ({ tool: 'tasks_update', arguments: { taskId: arg.row('/task/taskId'), status, ifUpdatedAt: arg.row('/task/updatedAt') } }) as const

/** Actions that end the review of a task: its work is accepted, or sent back with a note. */
export const reviewActions = <const A extends Argument<'/id' | '/taskId'>>(taskId: A) =>
  [
    {
      id: 'accept',
      label: 'Accept',
      icon: 'check',
      tone: 'primary',
      tool: 'tasks_update',
      arguments: { taskId, status: 'done' },
      all: 'Accept all',
      done: 'Accepted',
      undo: backTo('review'),
    },
    {
      id: 'send-back',
      label: 'Send back',
      icon: 'undo-2',
      tool: 'tasks.send-back',
      arguments: { taskId, note: arg.asked('What is missing?') },
      done: 'Sent back',
      undo: backTo('review'),
    },
  ] as const

/** The same actions where the rows are tasks of any status. */
export const whileInReview = <const A extends Argument<'/taskId'>>(taskId: A) =>
  reviewActions(taskId).map((action) => ({ ...action, when: { pointer: '/status', in: ['review'] } as const }))
