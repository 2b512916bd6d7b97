import { remoteKey } from './remote.ts'

/** Keys of a hosted repo's addresses; hosts that serve ssh under another name have two. */
export function keysOf(remotes: readonly string[]): readonly string[] {
  const keys = remotes.map(remoteKey).filter((key) => key !== undefined && !key.startsWith('file:'))
  return [...new Set(keys as string[])]
}

/**
 * True if both keys have one path, and the host of the first is no name that a code host tells: an alias of the ssh configuration, an
 * address, or a name of the local network.
 */
export function isAliasOf(known: string, key: string): boolean {
  const [host, path] = parted(known)
  return !/\.[a-z]{2,}$/.test(host.replace(/:\d+$/, '')) && path.toLowerCase() === parted(key)[1].toLowerCase()
}

function parted(key: string): readonly [string, string] {
  const at = key.indexOf('/')
  return [key.slice(0, at), key.slice(at + 1)]
}
