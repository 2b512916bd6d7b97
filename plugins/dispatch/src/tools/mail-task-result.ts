import { parseAddress } from '@gateway/plugin-mailbox/api'
import { claimId, taskId } from '@gateway/plugin-tasks/api'
import { closed, cutText, defined, defineTool, Type } from '@gateway/sdk'
import { endTask, endUses } from '../operations/end-task.ts'
import { requestOf, requestUses } from '../operations/requests.ts'
import { sendResult, sendUses } from '../operations/send-result.ts'
import { resultBody } from '../rules/result.ts'
import { address } from '../schema.ts'

const OUTCOMES = ['done', 'failed'] as const

export const mailTaskResult = defineTool({
  name: 'mail_task_result',
  description:
    'End a task that came from mail, and answer its requester: done completes it, failed retries it like tasks_fail. Returns {sent: true, messageId}, or {sent: false} for a task that did not come from mail; if that is in review, it stays there. A repeated call returns the mail that was sent.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/tasks/:taskId/mail-result',
  input: Type.Object(
    {
      taskId,
      claimId: Type.Optional(claimId),
      taskNotes: Type.Optional(
        Type.String({ maxLength: 50_000, description: 'Notes of the task; they name its origin if the task is gone.' }),
      ),
      outcome: Type.Enum(OUTCOMES),
      summary: Type.Optional(Type.String({ maxLength: 20_000, description: 'Result of the task.' })),
      links: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems: 20, description: 'Links to the result.' }),
      ),
      from: Type.Optional(address('Sender. Default: the address that was asked.')),
    },
    closed,
  ),
  output: Type.Object({ sent: Type.Boolean(), messageId: Type.Optional(Type.String()), to: Type.Optional(Type.String()) }, closed),
  uses: { ...requestUses, ...endUses, ...sendUses },
  async handle({ taskId, claimId, taskNotes, outcome, summary, links = [], from }, refs) {
    const request = await requestOf(refs, taskId, taskNotes)
    if (from !== undefined) parseAddress('from', from)
    const isEnded = await endTask(refs, { taskId, claimId, outcome, summary })
    if (!request) return { sent: false }
    const reported = { taskId, outcome, ...defined({ claimId }) }
    const { messageId, to } = await sendResult(refs, reported, isEnded, {
      to: request.from,
      from: from ?? request.to,
      kind: 'result',
      subject: cutText(`${outcome}: ${request.subject}`, 500),
      body: resultBody({ taskId, outcome, summary, links }),
      replyTo: request.messageId,
    })
    return { sent: true, messageId, to }
  },
})
