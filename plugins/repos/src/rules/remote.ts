/** Hosts whose paths ignore case; ssh is also offered under a second name there, for networks that block its port. */
const FOLDS_CASE = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org'])
const SECOND_NAMES: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
}
const SCHEMES = /^(?:git\+)?(?:https?|ssh|git|file)(?:\+git)?$/
const MAX_LENGTH = 2_000

/**
 * Returns the part of a git remote that all ways to reach a repo share: `host/path` without scheme, user, password, default port
 * and `.git`, the host in lower case; `file:/path` for a folder. Returns `undefined` for text that is not such an address, such
 * as a transport helper.
 */
export function remoteKey(remote: string): string | undefined {
  const text = remote.trim()
  if (text.length > MAX_LENGTH || /[\s\p{Cc}]/u.test(text) || text.startsWith('-') || /^[\w.+-]+::/.test(text)) return undefined
  if (isAbsolutePath(text)) return fileKey(text)
  const [, scheme = '', rest = ''] = /^([\w.+-]+):\/\/(.*)$/s.exec(text) ?? []
  if (scheme !== '') return SCHEMES.test(scheme.toLowerCase()) ? urlKey(scheme.toLowerCase(), rest) : undefined
  const [, host = '', path = ''] = /^(?:[^@/]*@)?(\[[^\]]+\]|[^:/@]+):(.+)$/s.exec(text) ?? []
  return host === '' ? undefined : hostKey(host.replace(/^\[(.*?)(?::\d+)?\]$/, '$1'), path)
}

/**
 * True if a text given as a repo's name is a remote: it contains a slash, which names do not. An absolute folder is not a remote
 * here.
 */
export function looksLikeRemote(text: string): boolean {
  if (isAbsolutePath(text)) return false
  return /^[\w.+-]+:\/\//.test(text) || /^[^@/\s]+@[^:/\s]+:./.test(text) || /^[^:/\s]+:[^/\s]+\//.test(text)
}

/**
 * Returns the remote in a form that may be stored and shown: without the user and password of an http address, and without any
 * password.
 */
export function withoutCredentials(remote: string): string {
  const text = remote.trim()
  if (/^https?:\/\//i.test(text)) return text.replace(/^([^/]*\/\/)[^/]*@/, '$1')
  return text.replace(/^([^/]*\/\/)([^/@:]*):[^/]*@/, '$1$2@')
}

/** Returns the last two parts of a remote's path: the repo's owner, if the path has it, and its name. */
export function namesIn(key: string): { readonly owner?: string; readonly name?: string } {
  const [name, owner] = key
    .replace(/^file:/, '')
    .split('/')
    .reverse()
  const isOwner = owner !== undefined && owner !== '' && key.split('/').length > 2
  return { ...(name && { name }), ...(isOwner && { owner }) }
}

export const isAbsolutePath = (text: string): boolean => /^(?:\/|[A-Za-z]:[/\\])/.test(text)

function urlKey(scheme: string, rest: string): string | undefined {
  if (scheme === 'file') return fileKey(rest.replace(/^localhost(?=\/)/i, ''))
  const [, authority = '', path = ''] = /^([^/?#]*)([^?#]*)/.exec(rest) ?? []
  const place = authority.slice(authority.lastIndexOf('@') + 1)
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]*)(?::(\d*))?$/.exec(place) ?? []
  // An ssh server on another port serves the same repos; an http server there is a different one.
  const isOther = scheme.includes('http') && port && port !== '80' && port !== '443'
  return hostKey(host.replace(/^\[(.*)\]$/, '$1'), path, isOther ? `:${port}` : '')
}

function hostKey(named: string, path: string, port = ''): string | undefined {
  const lower = named
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '')
  const host = SECOND_NAMES[lower] ?? lower
  const plain = plainPath(decoded(path))
  if (host === '' || plain === '') return undefined
  return `${host}${port}/${FOLDS_CASE.has(host) ? plain.toLowerCase() : plain}`
}

function fileKey(path: string): string | undefined {
  const plain = plainPath(path.replaceAll('\\', '/').replace(/\/\.git\/*$/, ''))
  return plain === '' ? undefined : `file:/${plain}`
}

/** Removes slashes around it, doubled ones, and the ending `.git`. */
const plainPath = (path: string): string =>
  path
    .replace(/\/{2,}/g, '/')
    .replace(/^\/|\/$/g, '')
    .replace(/\.git$/, '')
    .replace(/\/$/, '')

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
