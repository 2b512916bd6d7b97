/** True if an address, in lower case, is on a list where `*` before the slash matches any host. */
export function isListed(address: string, list: readonly string[]): boolean {
  const [host, ...rest] = address.split('/')
  const anyHost = rest.length > 0 && host !== '' ? `*/${rest.join('/')}` : undefined
  return list.some((entry) => {
    const listed = entry.toLowerCase()
    return listed === address || listed === anyHost
  })
}

/**
 * The repo that mail to an address is about: the part after the host, otherwise the default, otherwise the address, which may
 * be the repo's own. Addresses are in lower case; a default that differs only in case has the right spelling.
 */
export function repoOf(address: string, defaultRepo: string | undefined): string {
  const slash = address.indexOf('/')
  const named = slash < 0 ? undefined : address.slice(slash + 1)
  if (named === undefined) return defaultRepo ?? address
  return defaultRepo?.toLowerCase() === named ? defaultRepo : named
}
