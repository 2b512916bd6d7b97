import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Copies a file or folder. Leaves out files that disappear during the copy, links, sockets and the like. */
export async function copyFiles(from: string, to: string): Promise<void> {
  const found = await lstat(from).catch(gone)
  if (found?.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE).catch(gone)
  if (!found?.isDirectory()) return
  await mkdir(to, { mode: 0o700 })
  for (const name of (await readdir(from).catch(gone)) ?? []) await copyFiles(join(from, name), join(to, name))
}

/**
 * Copies the audit trail while it is being written. A day that begins during the copy is left out, so that each chain is
 * complete up to some record; a partly written record is cut off. `head.json` holds the position of the last record. It is read
 * before the days, so that it never exceeds them.
 */
export async function copyTrails(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const tenant of (await readdir(from).catch(gone)) ?? []) await copyTrail(join(from, tenant), join(to, tenant))
}

async function copyTrail(from: string, to: string): Promise<void> {
  const names = (await readdir(from).catch(noFolder)) ?? []
  const days = names.filter((name) => name.endsWith('.jsonl')).sort()
  const others = names.filter((name) => !name.endsWith('.jsonl'))
  if (names.length > 0) await mkdir(to, { mode: 0o700 })
  for (const name of [...others, ...days]) await copyFiles(join(from, name), join(to, name))
  const copied = new Set(await readdir(to).catch(gone))
  const newest = days.at(-1)
  if (newest !== undefined && copied.has(newest)) await endAtALine(join(to, newest))
  if (days.every((day) => copied.has(day))) return
  // Its oldest days were purged meanwhile, or the tenant was deleted: the recorded beginning of the chain may be older than that.
  await rm(to, { recursive: true, force: true })
  await copyTrail(from, to)
}

/** Larger than any record. */
const TAIL_BYTES = 4 * 2 ** 20

async function endAtALine(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, TAIL_BYTES)), 0, undefined, Math.max(0, size - TAIL_BYTES))
    const torn = bytesRead - (buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1)
    if (torn > 0) await file.truncate(size - torn)
  } finally {
    await file.close()
  }
}

function gone(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

const noFolder = (error: NodeJS.ErrnoException): undefined => (error.code === 'ENOTDIR' ? undefined : gone(error))
