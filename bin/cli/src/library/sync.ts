import { readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { ClientLibrary } from '../mcp-clients.ts'
import type { LibraryFile } from './definitions.ts'
import { isMine, readIfThere, writeMine } from './marked-file.ts'

/** Paths by what happened to them, relative to the project. */
export interface Synced {
  readonly written: readonly string[]
  readonly unchanged: readonly string[]
  readonly removed: readonly string[]
  /** Files of others, and edited ones: they are never overwritten. */
  readonly kept: readonly string[]
}

/** Writes these files and removes those that the entry wrote earlier and that are no longer wanted. */
export async function syncLibrary(cwd: string, library: ClientLibrary, files: readonly LibraryFile[], entry: string): Promise<Synced> {
  const synced = { written: [] as string[], unchanged: [] as string[], kept: [] as string[] }
  for (const { path, text } of files) synced[await writeMine(join(cwd, path), text, entry)].push(path)
  const wanted = new Set(files.map(({ path }) => path))
  const removed = []
  for (const file of await filesOf(cwd, library)) {
    const path = relative(cwd, file)
    if (wanted.has(path) || !isMine((await readIfThere(file)) ?? '', entry)) continue
    await rm(file)
    if (file.endsWith('SKILL.md')) await rmdir(dirname(file)).catch(() => {})
    removed.push(path)
  }
  return { ...synced, removed }
}

async function filesOf(cwd: string, { skills, agents }: ClientLibrary): Promise<string[]> {
  const ofSkills = (await namesIn(join(cwd, skills))).map((name) => join(cwd, skills, name, 'SKILL.md'))
  if (!agents) return ofSkills
  const ofAgents = (await namesIn(join(cwd, agents.folder))).filter((name) => name.endsWith(agents.extension))
  return [...ofSkills, ...ofAgents.map((name) => join(cwd, agents.folder, name))]
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
