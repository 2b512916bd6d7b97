import { type Collection, DuplicateKey, isToolError } from '@gateway/sdk'
import type { RemoteName } from '../schema.ts'

/** Unregistered remotes of a tenant that have a name of their choice. A later one gets the name that its hash makes unique. */
const MAX_NAMES = 1_000

interface Wanted {
  readonly remoteKey: string
  /** Candidates in order of preference; the last is unique to the remote. */
  readonly names: readonly string[]
  readonly isFree: (name: string) => Promise<boolean>
}

/**
 * Returns the first name that no other remote has; the one that the remote has already comes before all others. A caller that
 * stores something keeps it for this remote. One that only looks takes no name from a remote that comes later.
 */
export async function nameForRemote(
  { remoteKey, names, isFree }: Wanted,
  { remotes, stores }: { readonly remotes: Collection<RemoteName>; readonly stores: boolean },
): Promise<string | undefined> {
  const own = (await remotes.find({ where: { remoteKey }, limit: names.length })).items.map(({ name }) => name)
  for (const name of own) if (await isFree(name)) return name
  const isFull = (await remotes.count({}, { max: MAX_NAMES })) >= MAX_NAMES
  const isOpen = async (name: string): Promise<boolean> =>
    isFull || (stores ? isKept({ name, remoteKey }, remotes) : isUnclaimed({ name, remoteKey }, remotes))
  for (const name of isFull ? names.slice(-1) : names) if ((await isFree(name)) && (await isOpen(name))) return name
  return undefined
}

/** True unless another remote has the name. */
async function isUnclaimed({ name, remoteKey }: RemoteName, remotes: Collection<RemoteName>): Promise<boolean> {
  const known = await remotes.get(name)
  return known === undefined || known.remoteKey === remoteKey
}

/** Keeps a name for its remote; false when another remote has it. */
async function isKept(claim: RemoteName, remotes: Collection<RemoteName>): Promise<boolean> {
  const known = await remotes.get(claim.name)
  if (known) return known.remoteKey === claim.remoteKey
  try {
    await remotes.insert(claim)
    return true
  } catch (error) {
    if (!isToolError(error) || error.code !== DuplicateKey.code) throw error
    return isUnclaimed(claim, remotes)
  }
}
