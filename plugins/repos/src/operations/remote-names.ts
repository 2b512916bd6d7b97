import { type Collection, DuplicateKey, isToolError } from '@gateway/sdk'
import type { RemoteName } from '../schema.ts'

/** Unregistered remotes of a tenant that have a name of their choice. A later one gets the name that its hash makes unique. */
const MAX_NAMES = 10_000

/**
 * Returns the first of these names that no other remote has, and keeps it for this one. The names come in order, the last is
 * unique to the remote; the name that the remote has already comes before all others.
 */
export async function nameForRemote(
  remoteKey: string,
  names: readonly string[],
  isFree: (name: string) => Promise<boolean>,
  remotes: Collection<RemoteName>,
): Promise<string | undefined> {
  const own = (await remotes.find({ where: { remoteKey }, limit: names.length })).items.map(({ name }) => name)
  for (const name of own) if (await isFree(name)) return name
  const isFull = (await remotes.count({}, { max: MAX_NAMES })) >= MAX_NAMES
  for (const name of isFull ? names.slice(-1) : names)
    if ((await isFree(name)) && (isFull || (await isKept({ name, remoteKey }, remotes)))) return name
  return undefined
}

/** False when another remote has the name. */
async function isKept(claim: RemoteName, remotes: Collection<RemoteName>): Promise<boolean> {
  const known = await remotes.get(claim.name)
  if (known) return known.remoteKey === claim.remoteKey
  try {
    await remotes.insert(claim)
    return true
  } catch (error) {
    if (!isToolError(error) || error.code !== DuplicateKey.code) throw error
    return (await remotes.get(claim.name))?.remoteKey === claim.remoteKey
  }
}
