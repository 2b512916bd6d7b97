import { checkName } from '@gateway/plugin-brain/api'
import { Conflict, closed, DuplicateKey, defineTool, isToolError, LARGE_BODY_BYTES, Type } from '@gateway/sdk'
import { VersionPublished } from '../errors.ts'
import { keyOf, MAX_VERSIONS, packUses } from '../operations/packs.ts'
import { checkAtoms, warningsOf } from '../rules/pack-atoms.ts'
import { MAX_ATOMS, PackAtom, packId, Version, versionSchema } from '../schema.ts'

export const brainTemplatePublish = defineTool({
  name: 'brain_template_publish',
  description:
    'Publish a version of a starter pack, which tenants seed a new brain with: atoms of at most 1 MB of content in all. For the operator: a published version is never changed, publish a higher one. Returns {pack, warnings}.',
  capability: 'operator',
  effect: 'write',
  bodyLimitBytes: LARGE_BODY_BYTES,
  input: Type.Object(
    {
      id: packId,
      version: versionSchema,
      title: Type.Optional(Type.String({ maxLength: 200 })),
      description: Type.Optional(Type.String({ maxLength: 2_000 })),
      atoms: Type.Array(PackAtom, { minItems: 1, maxItems: MAX_ATOMS, description: `At most ${MAX_ATOMS}.` }),
    },
    closed,
  ),
  output: Type.Object({ pack: Version, warnings: Type.Array(Type.String()) }, closed),
  errors: [VersionPublished],
  uses: packUses,
  check({ id, atoms }) {
    checkName('id', id)
    checkAtoms(atoms)
  },
  async handle({ id, version, title = id, description = '', atoms }, refs, ctx) {
    const [versions, contents] = [refs.versions.writable(), refs.contents.writable()]
    if (await versions.get(keyOf(id, version))) throw VersionPublished({ id, version })
    if ((await versions.count({}, { max: MAX_VERSIONS })) >= MAX_VERSIONS)
      throw Conflict({ message: `The gateway has ${MAX_VERSIONS} published versions already, the maximum.` })
    const pack: Version = { id, version, title, description, atomCount: atoms.length, publishedAt: ctx.now().toISOString() }
    // The atoms are inserted first, under their own id. The caller who then inserts the version has published it, even if others
    // tried.
    const contentsId = ctx.newId('pack-')
    await contents.insert({ contentsId, atoms })
    try {
      await versions.insert({ ...pack, key: keyOf(id, version), contentsId })
    } catch (error) {
      await contents.deleteOne(contentsId)
      if (isToolError(error) && error.code === DuplicateKey.code) throw VersionPublished({ id, version })
      throw error
    }
    ctx.audit('brain.pack-published', { id, version, atoms: atoms.length })
    return { pack, warnings: [...warningsOf(atoms)] }
  },
})
