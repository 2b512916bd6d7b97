import type { CodeReview } from '@gateway/plugin-webhooks/api'
import type { Plain } from './stage.ts'
import { delayed, moved } from './state.ts'

/** Code hosts tell the comments of a review one by one beside it. The next worker begins when they have arrived. */
const COMMENTS_SECONDS = 30

/** The task after a review of its pull request: one in review goes back to the queue if changes were requested. */
export function reviewed(task: Plain, { changesRequested }: Pick<CodeReview, 'changesRequested'>, now: Date): Plain {
  if (!changesRequested || task.status !== 'review') return task
  return delayed(moved(task, 'pending', now), COMMENTS_SECONDS, now)
}

/** The note about a review, in which a worker finds who said it, where, and the text. */
export function reviewNote({ changesRequested, by = 'A reviewer', text, file, line, url, pullRequest }: CodeReview): string {
  const place = file === undefined ? '' : ` on ${file}${line === undefined ? '' : ` line ${line}`}`
  const head = changesRequested ? `${by} requested changes of ${pullRequest}` : `${by} commented${place}`
  return [url === undefined || url === pullRequest ? head : `${head} (${url})`, text].filter((part) => part !== undefined).join(': ')
}
