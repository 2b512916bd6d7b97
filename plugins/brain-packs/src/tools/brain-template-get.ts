import { closed, defineTool, Type } from '@gateway/sdk'
import { findPack, packUses } from '../operations/packs.ts'
import { PackAtom, packId, Version, versionSchema } from '../schema.ts'

export const brainTemplateGet = defineTool({
  name: 'brain_template_get',
  description: 'Look at a starter pack with its atoms, in its latest version or in the one you name. Returns {pack, atoms}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ id: packId, version: Type.Optional(versionSchema) }, closed),
  output: Type.Object({ pack: Version, atoms: Type.Array(PackAtom) }, closed),
  uses: packUses,
  async handle({ id, version }, refs) {
    const { pack, atoms } = await findPack(refs, id, version)
    return { pack, atoms: [...atoms] }
  },
})
