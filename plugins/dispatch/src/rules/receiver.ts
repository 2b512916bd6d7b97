import { isAddress, parseAddress } from '@gateway/plugin-mailbox/api'
import type { Reachable } from '@gateway/plugin-runners/api'
import type { Task } from '@gateway/plugin-tasks/api'

/**
 * Address that a task is offered to:
 *
 * 1. the address of the live runner that is named by `assignedAgent`, or says that it can do this agent's work;
 * 2. the agent itself;
 * 3. without an agent, the address of a live runner that says that it serves the repo, or else of any live runner;
 * 4. the repo.
 *
 * The result is undefined if no name is an address. Tasks are spread over runners by their id, so a task is always offered to the same one.
 */
export function receiverOf({ taskId, assignedAgent, repo }: Task, live: readonly Reachable[]): string | undefined {
  const name = (wanted: string) => live.filter(({ machine }) => machine === wanted)
  const able = (wanted: string) => live.filter(({ capabilities }) => capabilities.includes(wanted))
  const groups = assignedAgent === undefined || !isAddress(assignedAgent) ? [able(repo), live] : [name(assignedAgent), able(assignedAgent)]
  const runners = groups.find((group) => group.length > 0) ?? []
  const runner = runners[spread(taskId) % Math.max(1, runners.length)]
  const to = [runner?.address, assignedAgent, repo].find((address) => address !== undefined && isAddress(address))
  return to === undefined ? undefined : parseAddress('to', to)
}

const spread = (text: string): number => [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 0)
