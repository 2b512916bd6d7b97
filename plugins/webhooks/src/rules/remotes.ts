import type { Fields } from './fields.ts'

const MAX_REMOTE = 500
/** Members of a repo or project with an address to clone it from; the page stands in for hosts that send none of them. */
const CLONED_FROM = ['clone_url', 'git_http_url', 'ssh_url', 'git_ssh_url'] as const
const PAGES = ['html_url', 'web_url'] as const

/** The addresses of a hosted repo's git remote; no member if its code host tells none. */
export function remotesOf(repo: Fields): { readonly remotes?: readonly string[] } {
  const of = (members: readonly string[]): string[] => members.map((member) => repo[member]).filter(isAddress)
  const cloned = of(CLONED_FROM)
  const remotes = cloned.length > 0 ? cloned : of(PAGES)
  return remotes.length > 0 ? { remotes } : {}
}

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_REMOTE && /^[^\s\p{Cc}]+$/u.test(value)
