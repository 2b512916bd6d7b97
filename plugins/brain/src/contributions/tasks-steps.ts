import { openSessions } from '@gateway/plugin-sessions/api'
import { taskSteps } from '@gateway/plugin-tasks/api'
import { contribute, optional } from '@gateway/sdk'
import { observations } from '../collections.ts'
import { stepsOf } from '../operations/observe.ts'

export const stepsOfTask = contribute(taskSteps, {
  uses: { observations, sessions: optional(openSessions) },
  create: ({ observations, sessions }) => ({
    async of(taskId, limit) {
      const working = (await sessions?.forTask(taskId)) ?? []
      const steps = await Promise.all(working.map(({ sessionId }) => stepsOf(sessionId, limit, { observations })))
      return steps
        .flat()
        .sort((a, b) => (a.at < b.at ? 1 : -1))
        .slice(0, limit)
        .map(({ at, session = '', tool = 'step', target = '', exit }) => ({
          at,
          by: session,
          text: `${tool} ${target}${exit === 'error' ? ' (failed)' : ''}`.trim(),
        }))
    },
  }),
})
