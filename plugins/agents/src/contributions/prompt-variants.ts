import { contribute, promptVariants } from '@gateway/sdk'
import { registry } from '../api.ts'

const named = (items: readonly { name: string; description: string }[]) =>
  items.map(({ name, description }) => ({ value: name, description }))

/** Lists every skill and agent of the tenant as a prompt, those installed from the marketplace included. */
export const skillVariants = contribute(promptVariants, {
  uses: { registry },
  create: ({ registry }) => ({ prompt: 'skill', argument: 'name', list: async () => named((await registry.skills()).items) }),
})
export const agentVariants = contribute(promptVariants, {
  uses: { registry },
  create: ({ registry }) => ({ prompt: 'agent', argument: 'name', list: async () => named((await registry.agents()).items) }),
})
