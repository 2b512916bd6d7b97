import type { Task } from '@gateway/plugin-tasks/api'
import type { DisplayStatus, Swarm } from '../schema.ts'

const shown: Readonly<Record<Task['status'], DisplayStatus>> = {
  paused: 'paused',
  pending: 'pending',
  working: 'running',
  review: 'done',
  done: 'done',
  blocked: 'blocked',
  dead_letter: 'blocked',
}

/** Progress of a child: review counts as finished, a dead letter as blocked. */
export function displayStatus(status: Task['status']): DisplayStatus {
  return shown[status]
}

/** True if an active swarm is done: it has children, and each is finished. */
export function isFinished(swarm: Swarm, children: readonly Pick<Task, 'status'>[]): boolean {
  return swarm.status === 'active' && children.length > 0 && children.every(({ status }) => displayStatus(status) === 'done')
}

/** True if the spending has reached the budget. Without a budget it never does. */
export function isOverBudget({ tokenBudget, tokensSpent }: Pick<Swarm, 'tokenBudget' | 'tokensSpent'>): boolean {
  return tokenBudget !== undefined && tokensSpent >= tokenBudget
}
