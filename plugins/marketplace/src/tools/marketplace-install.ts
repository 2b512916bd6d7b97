import { closed, defineTool, listChanged, Type } from '@gateway/sdk'
import { MarketplaceRejected } from '../errors.ts'
import { installUses, installVersion } from '../operations/install.ts'
import { installSchema, slug, version } from '../schema.ts'

export const marketplaceInstall = defineTool({
  name: 'marketplace_install',
  description: 'Install an agent or skill from the marketplace, after checking its hash. Returns the installation.',
  capability: 'configure',
  effect: 'write',
  rest: 'POST /api/marketplace/:slug/install',
  status: 201,
  input: Type.Object({ slug, version: Type.Optional(version) }, closed),
  output: Type.Object(
    { install: installSchema, replaced: Type.Optional(Type.String({ description: 'Version that was installed before.' })) },
    closed,
  ),
  errors: [MarketplaceRejected],
  uses: { ...installUses, changed: listChanged },
  async handle({ slug, version }, { changed, ...refs }, ctx) {
    const installed = await installVersion(slug, version, refs, ctx)
    changed.emit({ list: 'prompts' })
    return installed
  },
})
