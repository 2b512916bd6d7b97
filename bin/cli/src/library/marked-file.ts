import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

const MARK = /\n<!-- gateway connect: (\S+) sha256=([0-9a-f]{64}) -->\n$/

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Adds a last line that names the entry which wrote the file, and the digest of what it wrote. */
const marked = (text: string, entry: string): string =>
  `${text.trimEnd()}\n\n<!-- gateway connect: ${encodeURIComponent(entry)} sha256=${digest(text.trimEnd())} -->\n`

/** True if the file is as this entry wrote it: nobody has edited it since. */
export function isMine(text: string, entry: string): boolean {
  const [, by, sha256] = MARK.exec(text) ?? []
  return by === encodeURIComponent(entry) && sha256 === digest(text.replace(MARK, '').trimEnd())
}

/** `kept` if the file is not this entry's, or was edited: it stays as it is. */
export async function writeMine(path: string, text: string, entry: string): Promise<'written' | 'unchanged' | 'kept'> {
  const before = await readIfThere(path)
  const after = marked(text, entry)
  if (before === after) return 'unchanged'
  if (before !== undefined && !isMine(before, entry)) return 'kept'
  await mkdir(dirname(path), { recursive: true })
  if (before === undefined) {
    try {
      await writeFile(path, after, { flag: 'wx' })
      return 'written'
    } catch (error) {
      // A dangling link, or a file that has appeared since, is somebody else's.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'kept'
      throw error
    }
  }
  const draft = `${path}.${process.pid}.new`
  await writeFile(draft, after)
  await rename(draft, path)
  return 'written'
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
