import { closed, defineRoute, Type } from '@gateway/sdk'
import { installs } from '../collections.ts'
import { installSchema } from '../schema.ts'

export const installsList = defineRoute({
  name: 'marketplace.installs-list',
  description: 'List the packages that the tenant has installed from the marketplace. Returns the installations by slug.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/marketplace/installs',
  input: Type.Object({}, closed),
  output: Type.Object({ installs: Type.Array(installSchema) }, closed),
  uses: { installs },
  handle: async (_, { installs }) => ({ installs: [...(await installs.find({ sort: { slug: 1 }, limit: 1_000 })).items] }),
})
