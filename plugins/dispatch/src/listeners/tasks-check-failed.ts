import { isAddress, mailbox } from '@gateway/plugin-mailbox/api'
import { checkFailed } from '@gateway/plugin-tasks/api'
import { on } from '@gateway/sdk'

/** Mails a failed check to the worker of the task; to the operator if no worker has an address. */
export const onCheckFailed = on(checkFailed, {
  uses: { mailbox },
  async handle({ taskId, title, worker, check, commit, summary, url, prUrl }, { mailbox }) {
    const to = worker !== undefined && isAddress(worker) ? worker : 'operator'
    const lines = [`Task ${taskId}: ${title}`, summary, `Commit ${commit}`, prUrl, url]
    const body = lines.filter((line) => line !== undefined).join('\n')
    await mailbox.post({ to, from: 'code-hosting', kind: 'note', subject: `The check “${check}” failed`, body })
  },
})
