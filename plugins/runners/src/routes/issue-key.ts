import { taskId, taskQueue } from '@gateway/plugin-tasks/api'
import { Conflict, closed, defined, defineRoute, NotFound, TOKEN_PREFIX, Type } from '@gateway/sdk'
import { hashOf, newSecret } from '@gateway/sdk/secrets'
import { taskKeys } from '../collections.ts'
import { isClaimed } from '../rules/claimed.ts'
import { ticketOf } from '../rules/secrets.ts'
import { agent, claimId } from '../schema.ts'

export const issueTaskKey = defineRoute({
  name: 'runners.issue-key',
  description:
    'Issue a key for the agent that works on a claimed task. It is limited to the task, the memory of its repo, mail under the name of the task and calls of models for it, and ends with the claim or when another is issued. Returns {apiKey, address}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/runners/task-keys',
  input: Type.Object({ taskId, claimId, agent: Type.Optional(agent) }, closed),
  output: Type.Object(
    {
      apiKey: Type.String({ description: 'Sent as x-api-key or as a Bearer token. It is shown once.' }),
      address: Type.String({ description: 'Mail address of the agent.' }),
    },
    closed,
  ),
  uses: { taskKeys, queue: taskQueue },
  async handle({ taskId, claimId, agent }, { taskKeys, queue }, ctx) {
    const task = await queue.get(taskId)
    if (!task) throw NotFound({ what: 'task', id: taskId })
    if (!isClaimed(task, claimId, ctx.now()))
      throw Conflict({ field: 'claimId', message: `\`claimId\` ${claimId} does not hold task ${taskId}, which is ${task.status}.` })
    const secret = newSecret()
    const { id, label } = ctx.principal
    const issuedBy = { id, ...defined({ label }) }
    const issued = { claimId, hash: hashOf(secret), issuedAt: ctx.now().toISOString(), issuedBy, ...defined({ agent }) }
    await taskKeys.upsert({ taskId, ...issued }, { set: issued, ...(agent === undefined && { unset: ['agent'] }) })
    return { apiKey: `${TOKEN_PREFIX}${ctx.tenantId}~${ticketOf(taskId, secret)}`, address: taskId }
  },
})
