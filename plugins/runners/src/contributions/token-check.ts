import { taskQueue } from '@gateway/plugin-tasks/api'
import { contribute, defined, tokenCheck } from '@gateway/sdk'
import { matches } from '@gateway/sdk/secrets'
import { taskKeys } from '../collections.ts'
import { isClaimed } from '../rules/claimed.ts'
import { confinementFor } from '../rules/confinement.ts'
import { readTicket } from '../rules/secrets.ts'

/** Reads key and task each time: a claim that ended on one node ends its key on all of them with the next call. */
export const taskKeyCheck = contribute(tokenCheck, {
  uses: { taskKeys, queue: taskQueue },
  create: ({ taskKeys, queue }, ctx) => ({
    async check(ticket) {
      const { taskId = '', secret = '' } = readTicket(ticket) ?? {}
      const key = taskId === '' ? undefined : await taskKeys.get(taskId)
      if (!key || !matches(secret, key.hash)) return undefined
      const task = await queue.get(taskId)
      if (!task || !isClaimed(task, key.claimId, ctx.now())) return undefined
      const { claimId, agent, issuedBy } = key
      const confinedTo = confinementFor({ taskId, claimId, repo: task.repo, agent })
      const named = { id: `task:${taskId}`, tenantId: ctx.tenantId, label: taskId, ...defined({ issuedBy }) }
      return { principal: { ...named, kind: 'api-key', role: 'viewer', confinedTo }, isLifted: false }
    },
  }),
})
