import { bootSection, contribute } from '@gateway/sdk'
import { registryFor, registryUses } from '../operations/registry.ts'
import { guidanceLines } from '../rules/guidance.ts'

/** Tells a client that begins the rules and hooks that say they apply there. The client applies them: the gateway does not see its work. */
export const bootGuidance = contribute(bootSection, {
  uses: registryUses,
  create: (refs, ctx) => ({
    title: 'Rules and hooks',
    order: 20,
    stable: true,
    render: async () => guidanceLines(await registryFor(refs, ctx).guidance('boot')),
  }),
})
