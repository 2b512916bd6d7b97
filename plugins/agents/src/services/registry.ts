import { provide } from '@gateway/sdk'
import { registry } from '../api.ts'
import { registryFor, registryUses } from '../operations/registry.ts'

export const registryProvider = provide(registry, { uses: registryUses, create: (refs, ctx) => registryFor(refs, ctx) })
