import { type Argument, arg } from '@gateway/sdk'

/** Takes a move back, unless the task has changed again since. */
export const moveBack = {
  tool: 'tasks.put-back',
  arguments: { taskId: arg.row('/task/taskId'), before: arg.row('/before'), ifUpdatedAt: arg.row('/task/updatedAt') },
} as const

/** Actions that end the review of a task: its work is accepted, or sent back with a note. */
export const reviewActions = <const A extends Argument<'/id' | '/taskId'>>(taskId: A) =>
  [
    {
      id: 'accept',
      label: 'Accept',
      icon: 'check',
      tone: 'primary',
      tool: 'tasks.move',
      arguments: { taskId, status: 'done' },
      all: 'Accept all',
      done: 'Accepted',
      undo: moveBack,
    },
    {
      id: 'send-back',
      label: 'Send back',
      icon: 'undo-2',
      tool: 'tasks.send-back',
      arguments: { taskId, note: arg.asked('What is missing?') },
      done: 'Sent back',
      undo: moveBack,
    },
  ] as const

/** The same actions where the rows are tasks of any status. */
export const whileInReview = <const A extends Argument<'/taskId'>>(taskId: A) =>
  reviewActions(taskId).map((action) => ({ ...action, when: { pointer: '/status', in: ['review'] } as const }))
