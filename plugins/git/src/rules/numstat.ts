import type { Diff } from '../api.ts'

type DiffFile = Diff['files'][number]

/** Parses `git diff -z --raw --numstat`: first the change of each path, then its line counts; a binary file counts none. */
export function readNumstat(text: string): readonly DiffFile[] {
  const tokens = text.split('\0')
  const status = new Map<string, string>()
  const files: DiffFile[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string
    if (token.startsWith(':')) {
      status.set(tokens[++at] ?? '', token.split(' ')[4]?.[0] ?? 'M')
      continue
    }
    const [, insertions = '', deletions = '', path = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(token) ?? []
    if (path !== '')
      files.push({ status: status.get(path) ?? 'M', path, insertions: Number(insertions) || 0, deletions: Number(deletions) || 0 })
  }
  return files
}
