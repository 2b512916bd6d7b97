import type { Fields } from './fields.ts'

const MAX_REMOTE = 500
/** Members of a repo or project with an address to clone it from. */
const CLONED_FROM = ['clone_url', 'git_http_url', 'ssh_url', 'git_ssh_url'] as const

/** The addresses of a hosted repo's git remote; no member if its code host tells none. */
export function remotesOf(repo: Fields): { readonly remotes?: readonly string[] } {
  const remotes = CLONED_FROM.map((member) => repo[member]).filter(isAddress)
  return remotes.length > 0 ? { remotes } : {}
}

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_REMOTE && /^[^\s\p{Cc}]+$/u.test(value)
