import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_NAMES } from '../rules/file-names.ts'
import { withoutEntries } from '../rules/without-entries.ts'
import { readFileText } from './read-file.ts'

interface Text {
  readonly content: string
  readonly updatedAt: string
}

/**
 * Returns the handoff that people and other programs wrote: what the handoff file has beside the gateway's own entries, else the file of
 * this name at the root of the repo.
 */
export async function handoffNotes(file: Text | undefined, folder: string | undefined): Promise<Text | undefined> {
  const content = withoutEntries(file?.content ?? '')
  if (file && content !== '') return { content, updatedAt: file.updatedAt }
  const real = folder === undefined ? undefined : await realpath(folder).catch(() => undefined)
  const found = real === undefined ? undefined : await readFileText(join(real, FILE_NAMES.handoff))
  return found && { content: found.text.trim(), updatedAt: found.updatedAt }
}
