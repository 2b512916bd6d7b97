import { taskQueue } from '@gateway/plugin-tasks/api'
import { type AttentionSource, attentionSource, contribute } from '@gateway/sdk'
import { heardOf, machineUses } from '../operations/machines.ts'
import { unmergedUses, waitingToMerge } from '../operations/unmerged.ts'
import { minutesSilent } from '../rules/lanes.ts'
import { defaults } from '../schema.ts'

/**
 * Raises an item while all runner machines are silent and tasks wait for one. A tenant that never had a runner works without
 * any.
 */
export const noLiveRunner = contribute(attentionSource, {
  uses: { ...machineUses, queue: taskQueue },
  create: ({ queue, ...refs }): AttentionSource => ({
    kind: 'no-runner',
    capability: 'work',
    async look() {
      const { now, machines } = await heardOf(refs)
      const [latest] = machines
      if (!latest || minutesSilent(latest, now) <= defaults.thresholdMinutes) return { count: 0, items: [] }
      const [[waits], closed] = await Promise.all([queue.ready({ limit: 1 }), queue.closed()])
      if (!waits || closed !== undefined) return { count: 0, items: [] }
      const { machine, lastHeartbeatAt } = latest
      const text = `Tasks wait, “${waits.title}” first. ${machine} was heard of last, at ${lastHeartbeatAt}.`
      const item = { id: 'runners', title: 'No runner is alive', text, tone: 'bad', at: lastHeartbeatAt, link: { to: '/runners' } } as const
      return { count: 1, items: [item] }
    },
  }),
})

/** Accepted work that the lane merge cannot merge: its task looks finished, so nobody would look at it. */
export const unmergedWait = contribute(attentionSource, {
  uses: unmergedUses,
  create: (refs): AttentionSource => ({
    kind: 'unmerged',
    capability: 'work',
    async look(limit) {
      const waiting = await waitingToMerge(refs)
      const items = waiting.slice(0, limit).map(({ taskId, reason, since, task }) => ({
        id: taskId,
        title: `Task “${task.title}” is accepted, and not merged`,
        text: reason.slice(0, 300),
        tone: 'bad' as const,
        at: since,
        link: { to: '/tasks/:taskId', with: { taskId } },
      }))
      return { count: waiting.length, items }
    },
  }),
})
