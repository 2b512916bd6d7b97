import { isAddress, mailbox } from '@gateway/plugin-mailbox/api'
import { taskReviewed } from '@gateway/plugin-tasks/api'
import { on } from '@gateway/sdk'

/**
 * Mails requested changes to the worker of the task, and to the operator if no worker has an address. A comment is mailed while
 * somebody works on the task; it is in the notes for the next one.
 */
export const onTaskReviewed = on(taskReviewed, {
  uses: { mailbox },
  async handle({ taskId, title, status, changesRequested, worker, by = 'A reviewer', text, place, url, prUrl }, { mailbox }) {
    if (!changesRequested && status !== 'working') return
    const to = worker !== undefined && isAddress(worker) ? worker : 'operator'
    const subject = `${by} ${changesRequested ? 'requested changes' : 'commented'}`
    const lines = [`Task ${taskId}: ${title}`, place, text, prUrl, url]
    await mailbox.post({ to, from: 'code-hosting', kind: 'note', subject, body: lines.filter((line) => line !== undefined).join('\n') })
  },
})
