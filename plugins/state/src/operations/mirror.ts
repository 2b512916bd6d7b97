import { join } from 'node:path'
import { type CallContext, type Collection, isToolError } from '@gateway/sdk'
import { changeSection } from '../rules/change-section.ts'
import { FILE_NAMES } from '../rules/file-names.ts'
import { handoffSection, markOf } from '../rules/handoff-section.ts'
import { type Handoff, MAX_FILE_BYTES } from '../schema.ts'
import { archiveFile, changeFile } from './change-file.ts'
import { frameworkFolder } from './framework-folder.ts'
import type { Place } from './resolve-repo.ts'

interface DueMirror {
  readonly handoffId: string
  readonly repo: string
}
export interface MirrorUses {
  readonly handoffs: Collection<Handoff>
  readonly dueMirrors: Collection<DueMirror>
}
/** Maximum number of overdue entries that one call copies. */
const AT_ONCE = 20

/**
 * Copies due entries of a repo into its handoff file, oldest first. Returns the reason for a failure; the entries then stay due.
 */
export async function mirrorDue(
  place: Place,
  { handoffs, dueMirrors }: MirrorUses,
  ctx: Pick<CallContext, 'now' | 'log'>,
): Promise<string | undefined> {
  const due = await dueMirrors.find({ where: { repo: place.name }, sort: { handoffId: 1 }, limit: AT_ONCE })
  try {
    for (const { handoffId } of due.items) {
      const entry = await handoffs.get(handoffId)
      if (entry) await mirror(place, entry, ctx.now())
      await dueMirrors.deleteOne(handoffId)
    }
  } catch (error) {
    ctx.log.warn('A handoff could not be copied into its file', { repo: place.name, err: error })
    return isToolError(error) ? error.message : `${FILE_NAMES.handoff} could not be written: ${(error as Error).message}`
  }
}

async function mirror({ folder }: Place, entry: Handoff, now: Date): Promise<void> {
  const file = join((await frameworkFolder(folder, true)) as string, FILE_NAMES.handoff)
  const content = handoffSection(entry)
  const more = Buffer.byteLength(content) + EMPTY_LINES_BYTES
  const isFull = (text: string): boolean => Buffer.byteLength(text) + more > MAX_FILE_BYTES
  await archiveFile(file, now.toISOString().replaceAll(/[:.]/g, '-'), isFull)
  await changeFile(file, (before) => {
    if (before.includes(markOf(entry.handoffId))) return undefined
    const changed = changeSection(before, { content, mode: 'append' })
    if ('fault' in changed) throw new Error(changed.fault)
    return changed.document
  })
}
const EMPTY_LINES_BYTES = 16
