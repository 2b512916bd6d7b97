import { EventEmitter, once } from 'node:events'
import { contribute, definePlugin, type Plugin } from '@gateway/sdk'
import { type AgentResult, type DispatchRunner, dispatchRunner, type RoutingStamps } from '../src/api.ts'

export const stamps: RoutingStamps = { routedModel: 'middle', executionProvider: 'local', workType: 'research', workTypeTier: 'standard' }
export const answer: AgentResult = { text: 'Done.', outputTokens: 1, stopReason: 'end', turns: 1, toolCalls: 0, stamps }

/** The agent `summarizer`, which runs in the gateway and answers at once. */
export function agentHere(parts: Partial<DispatchRunner> = {}): Plugin {
  return definePlugin({
    id: 'agents-here',
    sdk: '^1.0.0',
    description: 'One agent that runs in the gateway.',
    contributes: [
      contribute(dispatchRunner, {
        create: () => ({
          agents: async () => ['summarizer'],
          serves: () => true,
          plan: async ({ assignedAgent }) => (assignedAgent === 'summarizer' ? stamps : undefined),
          obstacle: async () => undefined,
          run: async () => answer,
          ...parts,
        }),
      }),
    ],
  })
}

/** The agent `summarizer`, which works on each task until it is released. */
export function slowAgent(): { readonly plugin: Plugin; begins(): Promise<unknown>; release(): void } {
  const gate = new EventEmitter()
  const plugin = agentHere({
    async run() {
      gate.emit('run')
      await once(gate, 'open')
      return answer
    },
  })
  return { plugin, begins: () => once(gate, 'run'), release: () => void gate.emit('open') }
}
