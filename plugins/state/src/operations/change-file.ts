import { mkdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Conflict } from '@gateway/sdk'
import { ARCHIVE_FOLDER } from '../rules/file-names.ts'
import { withFileLock } from './file-lock.ts'
import { isRealFolder } from './framework-folder.ts'
import { type FileText, isUnchanged, readFileText } from './read-file.ts'
import { replaceFile, syncFolder } from './write-file.ts'

const MODE = 0o644
const TRIES = 10

/**
 * Reads, changes and replaces a file, which need not exist yet; `edit` gets its content and the time of its revision, and returns
 * the new content, or undefined to keep it. Concurrent writes of others, with or without the lock, are read again and kept.
 * Returns the revision that the file then has, `undefined` when there is none; its time is later than that of the one before, and
 * than `after`.
 */
export function changeFile(
  file: string,
  edit: (before: string, updatedAt: string | undefined) => string | undefined,
  after?: string,
): Promise<Pick<FileText, 'text' | 'updatedAt'> | undefined> {
  return withFileLock(file, async (isHeld) => {
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await readFileText(file)
      const text = edit(before?.text ?? '', before?.updatedAt)
      if (text === undefined || (before && text === before.text)) return before
      const isStill = async (): Promise<boolean> => (await isUnchanged(file, before)) && (await isHeld())
      const updatedAt = await replaceFile(file, { text, mode: before?.mode ?? MODE, after: before?.updatedAt ?? after }, isStill)
      if (updatedAt !== undefined) return { text, updatedAt }
      if (!(await isHeld())) break
    }
    throw Conflict({ message: `${file} was not changed, because other writers changed it during each attempt. Try again.` })
  })
}

/** Moves a full file into the archive, where it stays unchanged. */
export function archiveFile(file: string, name: string, isFull: (text: string) => boolean): Promise<void> {
  return withFileLock(file, async () => {
    const before = await readFileText(file)
    if (!before || !isFull(before.text)) return
    const folder = join(dirname(file), ARCHIVE_FOLDER)
    await mkdir(folder, { recursive: true })
    await isRealFolder(folder)
    await rename(file, join(folder, `${basename(file, '.md')}-${name}.md`))
    await syncFolder(folder)
    await syncFolder(dirname(file))
  })
}
