import { type BigIntStats, constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { FileUnusable } from '../errors.ts'
import { MAX_FILE_BYTES } from '../schema.ts'
import { frameworkFolder, unlessMissing } from './framework-folder.ts'

export interface FileText {
  readonly text: string
  readonly updatedAt: string
  /** Changes with each write of the file. */
  readonly stamp: string
  readonly mode: number
}

/**
 * Reads a file of the framework folder; `undefined` when it does not exist. No link is followed, and only regular files are
 * opened.
 */
export async function readFileText(file: string, maxBytes = MAX_FILE_BYTES): Promise<FileText | undefined> {
  const seen = await lstat(file).catch(unlessMissing)
  if (!seen) return undefined
  if (seen.isSymbolicLink()) throw FileUnusable({ file, fault: 'it is a symbolic link, which is not followed' })
  // Checked before it is opened: opening a pipe waits for its other end.
  if (!seen.isFile()) throw FileUnusable({ file, fault: 'it is no file' })
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(unlessMissing)
  if (!handle) return undefined
  try {
    const stats = await handle.stat({ bigint: true })
    if (stats.size > maxBytes) throw FileUnusable({ file, fault: `it has ${stats.size} bytes; at most ${maxBytes} are read` })
    const text = decode(await handle.readFile())
    if (text === undefined) throw FileUnusable({ file, fault: 'it must be text in UTF-8' })
    return { text, updatedAt: stats.mtime.toISOString(), stamp: stampOf(stats), mode: Number(stats.mode & 0o777n) }
  } finally {
    await handle.close()
  }
}

/** Keeps the byte order mark, so that the file is written back with it. */
function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** True if no program without the lock, such as an editor, wrote the file since it was read. */
export async function isUnchanged(file: string, read: FileText | undefined): Promise<boolean> {
  const stats = await lstat(file, { bigint: true }).catch(unlessMissing)
  return stats ? stampOf(stats) === read?.stamp : read === undefined
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`
}

/** Returns the stamp of a file below the framework folder of a repo, without reading it; `undefined` when the file does not exist. */
export async function stampOfFile(repo: string, path: string): Promise<string | undefined> {
  const folder = await frameworkFolder(repo)
  const stats = folder === undefined ? undefined : await lstat(join(folder, path), { bigint: true }).catch(unlessMissing)
  return stats?.isFile() ? stampOf(stats) : undefined
}
