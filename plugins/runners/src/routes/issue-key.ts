import { taskId, taskQueue } from '@gateway/plugin-tasks/api'
import { Conflict, closed, defineRoute, NotFound, TOKEN_PREFIX, Type } from '@gateway/sdk'
import { hashOf, newSecret } from '@gateway/sdk/secrets'
import { taskKeys } from '../collections.ts'
import { isClaimed } from '../rules/claimed.ts'
import { ticketOf } from '../rules/secrets.ts'
import { claimId } from '../schema.ts'

export const issueTaskKey = defineRoute({
  name: 'runners.issue-key',
  description:
    'Issue a key for the agent that works on a claimed task. It is limited to the task, the memory of its repo and mail under the name of the task, and ends with the claim or when another is issued. Returns {apiKey, address}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/runners/task-keys',
  input: Type.Object({ taskId, claimId }, closed),
  output: Type.Object(
    {
      apiKey: Type.String({ description: 'Sent as x-api-key or as a Bearer token. It is shown once.' }),
      address: Type.String({ description: 'Mail address of the agent.' }),
    },
    closed,
  ),
  uses: { taskKeys, queue: taskQueue },
  async handle({ taskId, claimId }, { taskKeys, queue }, ctx) {
    const task = await queue.get(taskId)
    if (!task) throw NotFound({ what: 'task', id: taskId })
    if (!isClaimed(task, claimId, ctx.now()))
      throw Conflict({ field: 'claimId', message: `\`claimId\` ${claimId} does not hold task ${taskId}, which is ${task.status}.` })
    const secret = newSecret()
    const issued = { claimId, hash: hashOf(secret), issuedAt: ctx.now().toISOString() }
    await taskKeys.upsert({ taskId, ...issued }, { set: issued })
    return { apiKey: `${TOKEN_PREFIX}${ctx.tenantId}~${ticketOf(taskId, secret)}`, address: taskId }
  },
})
