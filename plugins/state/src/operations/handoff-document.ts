import type { MemoryDocument } from '@gateway/plugin-memory/api'
import { FILE_NAMES } from '../rules/file-names.ts'
import { handoffSection } from '../rules/handoff-section.ts'
import type { Handoff } from '../schema.ts'

/** Returns an entry as the memory indexes it: the same section as in the handoff file, so that both make the same chunks. */
export function handoffDocument(entry: Handoff): MemoryDocument {
  const { repo, sessionId, createdAt } = entry
  return { repo, source: 'handoff', title: FILE_NAMES.handoff, markdown: handoffSection(entry), sessionId, createdAt, cut: 'sections' }
}

export const handoffOrigin = (repo: string): string => `state:${repo}/${FILE_NAMES.handoff}`
