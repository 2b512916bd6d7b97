export interface WorkTreeStatus {
  readonly branch?: string
  readonly head?: string
  readonly ahead?: number
  readonly behind?: number
  readonly files: readonly { readonly code: string; readonly path: string }[]
  readonly truncated: boolean
}

/** Parses `git status --porcelain=v2 --branch -z`, without renames. */
export function readStatus(text: string, limit: number, cut: boolean): WorkTreeStatus {
  const heads = new Map<string, string>()
  const files: { code: string; path: string }[] = []
  for (const token of text.split('\0')) {
    const head = /^# branch\.(\w+) (.*)$/.exec(token)
    if (head) heads.set(head[1] as string, head[2] as string)
    const fields = token.split(' ')
    if (token.startsWith('1 ')) files.push({ code: fields[1] as string, path: fields.slice(8).join(' ') })
    if (token.startsWith('u ')) files.push({ code: fields[1] as string, path: fields.slice(10).join(' ') })
    if (token.startsWith('? ')) files.push({ code: '??', path: token.slice(2) })
  }
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(heads.get('ab') ?? '') ?? []
  const branch = heads.get('head')
  const oid = heads.get('oid')
  return {
    ...(branch !== undefined && branch !== '(detached)' && { branch }),
    ...(oid !== undefined && oid !== '(initial)' && { head: oid }),
    ...(ahead !== undefined && { ahead: Number(ahead), behind: Number(behind) }),
    files: files.slice(0, limit),
    truncated: cut || files.length > limit,
  }
}
