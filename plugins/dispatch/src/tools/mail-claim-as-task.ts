import { claimant, taskDraft } from '@gateway/plugin-tasks/api'
import { closed, defined, defineTool, reportedName, Type } from '@gateway/sdk'
import { DirectorAddress } from '../errors.ts'
import { convertRequests, requestUses } from '../operations/requests.ts'
import { address } from '../schema.ts'

const MESSAGES = { default: 5, max: 20 }

export const mailClaimAsTask = defineTool({
  name: 'mail_claim_as_task',
  description:
    'Take the requests that wait for an address, oldest first, as tasks that you have already claimed; each becomes one task of one worker. End each with tasks_update, then answer with mail_task_result. Returns {claimed, reason?}; each has messageId, taskId, claimId, from, replyTo, subject.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/mail/claim',
  subject: ['address'],
  input: Type.Object(
    {
      address: address('Whose mail: host, host/repo, repo or role, but not a director’s.'),
      defaultRepo: Type.Optional({
        ...taskDraft.properties.repo,
        description: 'Repo of the tasks, for an address without /repo. Default: the address.',
      }),
      claimedBy: Type.Optional(claimant),
      maxPerPoll: Type.Optional(
        Type.Integer({ minimum: 1, default: MESSAGES.default, description: `At most ${MESSAGES.max}; more means ${MESSAGES.max}.` }),
      ),
    },
    closed,
  ),
  output: Type.Object(
    {
      claimed: Type.Array(
        Type.Object(
          {
            messageId: Type.String(),
            taskId: Type.String(),
            claimId: Type.Optional(Type.String()),
            from: Type.String(),
            replyTo: Type.Optional(Type.String()),
            subject: Type.String(),
          },
          closed,
        ),
      ),
      reason: Type.Optional(Type.String({ description: 'Reason nothing may be claimed now.' })),
    },
    closed,
  ),
  errors: [DirectorAddress],
  uses: requestUses,
  async handle({ address, defaultRepo, maxPerPoll = MESSAGES.default, ...given }, refs, ctx) {
    const claimedBy = reportedName('claimedBy', given.claimedBy, ctx.principal)
    const max = Math.min(maxPerPoll, MESSAGES.max)
    const { converted, reason } = await convertRequests(refs, { address, defaultRepo, claimedBy, max })
    const claimed = converted.map(({ message: { messageId, from, replyTo, subject }, task: { taskId, claimId } }) => ({
      messageId,
      taskId,
      ...defined({ claimId }),
      from,
      ...defined({ replyTo }),
      subject,
    }))
    return { claimed, ...defined({ reason }) }
  },
})
