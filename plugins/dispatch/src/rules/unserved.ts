import type { Task } from '@gateway/plugin-tasks/api'
import type { AttentionItem } from '@gateway/sdk'

/** An item for a task that nobody takes: who should have taken it, and what to do about it. */
export function unservedItem({ taskId, repo, title, assignedAgent: agent, readyFor = '', updatedAt }: Task, advice: string): AttentionItem {
  const whose = agent ? ` for the agent “${agent}”` : ''
  return {
    id: `${repo} ${readyFor}`,
    title: `Nobody takes tasks of the repo “${repo}”${whose}`,
    text: `“${title}” waits first. ${advice}`,
    tone: 'warn',
    at: updatedAt,
    link: { to: '/tasks/:taskId', with: { taskId } },
  }
}

/** Advice for a task that a runner has to take; `undefined` while all runners are silent, which is an item of its own. */
export function runnerAdvice(heard: 'lately' | 'earlier' | 'never', { repo, assignedAgent: agent }: Task): string | undefined {
  if (heard === 'earlier') return undefined
  const serves = agent ? `the repo “${repo}” and the agent “${agent}”` : `the repo “${repo}”`
  if (heard === 'never')
    return `No runner has been started. Start one that serves ${serves}: gateway runner start. Or claim it with tasks_claim.`
  return `Runners are alive, but none works on such tasks. See in gateway runner status that one serves ${serves} and has room.`
}

export const NO_MODEL = 'Its agent runs in the gateway, and no provider of models takes its calls now. See the page of the providers.'
export const SWITCHED_OFF =
  'Its agent runs in the gateway, and the setting dispatch.runHere is off. Switch it on, or call dispatch_cycle, for example by a schedule.'
