/**
 * Returns the addresses of a git configuration's remotes by name, as its file holds them; includes and rewrites are left to git.
 */
export function remotesIn(text: string): ReadonlyMap<string, string> {
  const remotes = new Map<string, string>()
  let remote: string | undefined
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[([^\]"]*?)(?:\s*"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line)
    if (section) remote = section[1]?.trim().toLowerCase() === 'remote' ? section[2]?.replace(/\\(.)/g, '$1') : undefined
    const [, value] = /^\s*url\s*=\s*(.*?)\s*$/i.exec(line.replace(/^\s*\[[^\]]*\]/, '')) ?? []
    if (remote !== undefined && value !== undefined && !remotes.has(remote)) remotes.set(remote, unquoted(value))
  }
  return remotes
}

/** Returns the remote that identifies a repo: `origin`, else `upstream`, else the first by name. */
export function identifyingRemote(remotes: ReadonlyMap<string, string>): string | undefined {
  return remotes.get('origin') ?? remotes.get('upstream') ?? remotes.get([...remotes.keys()].sort()[0] ?? '')
}

function unquoted(value: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"/.exec(value) ?? []
  return quoted === undefined ? value.replace(/\s+[#;].*$/, '') : quoted.replace(/\\(.)/g, '$1')
}
