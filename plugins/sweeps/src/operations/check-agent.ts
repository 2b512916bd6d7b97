import { NotFound, type Toolbox } from '@gateway/sdk'
import { ask } from './ask.ts'

/**
 * Throws NOT_FOUND for an agent that agents_list does not have. Without the agents family this cannot be checked, and the figures
 * brief.
 */
export async function checkAgent(tools: Toolbox, agent: string): Promise<void> {
  const answer = await ask<{ readonly agents: readonly { readonly name: string }[] }>(tools, 'agents_list', {})
  if (answer.there && !answer.result.agents.some(({ name }) => name === agent)) throw NotFound({ what: 'agent', id: agent })
}
