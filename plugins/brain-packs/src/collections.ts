import { closed, defineCollection, Type } from '@gateway/sdk'
import { PackAtom, Version } from './schema.ts'

/** Kept gateway-wide, apart from their atoms. Those are up to a megabyte, and the list does not read them. */
export const versions = defineCollection('brain-packs.versions', {
  schema: Type.Object({ ...Version.properties, key: Type.String(), contentsId: Type.String() }, closed),
  key: 'key',
  indexes: [{ keys: { id: 1 } }],
})

export const contents = defineCollection('brain-packs.contents', {
  schema: Type.Object({ contentsId: Type.String(), atoms: Type.Array(PackAtom) }, closed),
  key: 'contentsId',
})
