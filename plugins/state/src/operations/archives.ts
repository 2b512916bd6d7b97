import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ARCHIVE_FOLDER } from '../rules/file-names.ts'
import { frameworkFolder, isRealFolder } from './framework-folder.ts'
import { type FileText, readFileText } from './read-file.ts'

const MAX_ARCHIVES = 1_000
/** An archive is written once and read seldom. */
const MAX_BYTES = 4 * 1024 * 1024

async function archiveFolder(repo: string): Promise<string | undefined> {
  const framework = await frameworkFolder(repo)
  if (framework === undefined) return undefined
  const folder = join(framework, ARCHIVE_FOLDER)
  return (await isRealFolder(folder)) ? folder : undefined
}

/** Sorts later names first: by custom they end in a date. */
export async function archivesOf(repo: string): Promise<readonly string[]> {
  const folder = await archiveFolder(repo)
  if (folder === undefined) return []
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md')).map(({ name }) => name)
  return names.sort().reverse().slice(0, MAX_ARCHIVES)
}

export async function readArchive(repo: string, name: string): Promise<FileText | undefined> {
  const folder = await archiveFolder(repo)
  if (folder === undefined || basename(name) !== name) return undefined
  return readFileText(join(folder, name), MAX_BYTES)
}
