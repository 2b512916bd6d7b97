export function databaseName(url: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/.exec(url)?.[1]
  return path ? decodeURIComponent(path) : 'gateway'
}

/** Hosts and database of an address, without user and password. */
export function placeOf(url: string): string {
  const [, authority = ''] = /^mongodb(?:\+srv)?:\/\/([^/?]*)/.exec(url) ?? []
  return `${authority.slice(authority.lastIndexOf('@') + 1)}/${databaseName(url)}`
}
