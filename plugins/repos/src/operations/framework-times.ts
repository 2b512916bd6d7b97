import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { defined } from '@gateway/sdk'
import { FRAMEWORK_FOLDER } from './compliance.ts'

/** Returns when the framework's files of a repo were last written, as ISO 8601; links are ignored. */
export async function frameworkTimes(folder: string): Promise<{ readonly lastHandoff?: string; readonly lastState?: string }> {
  const framework = await lstat(join(folder, FRAMEWORK_FOLDER)).catch(() => undefined)
  if (!framework?.isDirectory()) return {}
  const [lastHandoff, lastState] = await Promise.all(
    ['HANDOFF.md', 'STATE.md'].map((name) => writtenAt(join(folder, FRAMEWORK_FOLDER, name))),
  )
  return { ...defined({ lastHandoff, lastState }) }
}

async function writtenAt(file: string): Promise<string | undefined> {
  const stats = await lstat(file).catch(() => undefined)
  return stats?.isFile() ? stats.mtime.toISOString() : undefined
}
