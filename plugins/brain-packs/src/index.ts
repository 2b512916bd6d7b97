import { definePlugin } from '@gateway/sdk'
import { contents, versions } from './collections.ts'
import { brainSeed } from './tools/brain-seed.ts'
import { brainSeedStatus } from './tools/brain-seed-status.ts'
import { brainTemplateGet } from './tools/brain-template-get.ts'
import { brainTemplateList } from './tools/brain-template-list.ts'
import { brainTemplatePublish } from './tools/brain-template-publish.ts'

/**
 * Starter packs for brains. The life of a version:
 *
 * 1. published by the operator, for all tenants, and never changed;
 * 2. listed with the others of its pack; the highest is the latest;
 * 3. seeded into a brain: its atoms and a marker in one commit on main, all or none;
 * 4. known by its marker from then on: seeding it again changes nothing.
 */
export default definePlugin({
  id: 'brain-packs',
  sdk: '^1.0.0',
  description: 'Starter packs for brains: versions published by the operator, seeded by tenants.',
  collections: [versions, contents],
  tools: [brainTemplatePublish, brainTemplateList, brainTemplateGet, brainSeed, brainSeedStatus],
})
