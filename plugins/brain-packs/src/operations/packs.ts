import { gatewayWide, NotFound, type Resolved } from '@gateway/sdk'
import { contents, versions } from '../collections.ts'
import { latestOf } from '../rules/versions.ts'
import type { PackAtom, Version } from '../schema.ts'

export const packUses = { versions: gatewayWide(versions), contents: gatewayWide(contents) }
type Refs = Resolved<typeof packUses>

/** Maximum number of versions of all packs; they fit into one answer. */
export const MAX_VERSIONS = 2_000

export const keyOf = (id: string, version: string): string => `${id}@${version}`

export async function allVersions(
  { versions }: Pick<Refs, 'versions'>,
  id?: string,
): Promise<readonly (Version & { contentsId: string })[]> {
  const { items } = await versions.find({ where: id === undefined ? {} : { id }, sort: { id: 1 }, limit: MAX_VERSIONS })
  return items
}

/** Returns a version with its atoms, the latest if none is named. Throws NOT_FOUND. */
export async function findPack(
  refs: Refs,
  id: string,
  version: string | undefined,
): Promise<{ readonly pack: Version; readonly atoms: readonly PackAtom[] }> {
  const found = version === undefined ? latestOf(await allVersions(refs, id)) : await refs.versions.get(keyOf(id, version))
  const held = found && (await refs.contents.get(found.contentsId))
  if (!found || !held) throw NotFound({ what: 'starter pack', id: version === undefined ? id : keyOf(id, version) })
  return { pack: withoutKeys(found), atoms: held.atoms }
}

function withoutKeys({ id, version, title, description, atomCount, publishedAt }: Version): Version {
  return { id, version, title, description, atomCount, publishedAt }
}
