import { join } from 'node:path'
import { BadRequest, type CallContext, type Collection, Conflict, isToolError } from '@gateway/sdk'
import { FILE_NAMES } from '../rules/file-names.ts'
import { type FileKind, MAX_FILE_BYTES, type StateDocument } from '../schema.ts'
import { changeFile } from './change-file.ts'
import { frameworkFolder } from './framework-folder.ts'
import { inTurn } from './in-turn.ts'
import { readFileText } from './read-file.ts'
import type { Place } from './resolve-repo.ts'

interface DocumentText {
  readonly content: string
  readonly updatedAt: string
}
type Edit = (before: string, updatedAt: string | undefined) => string

const TRIES = 20

/** A state or handoff file: on the disk for a repo with a folder, else a document of the tenant, under the same rules. */
export interface RepoDocument {
  read(): Promise<DocumentText | undefined>
  /** Returns the revision that this change wrote, or found unchanged; another may have followed. */
  change(edit: Edit): Promise<DocumentText>
}

interface FileDocument extends RepoDocument {
  /** The time of a new file is later than `after`. */
  change(edit: Edit, after?: string): Promise<DocumentText>
}

export function fileOnDisk({ folder }: Pick<Place, 'folder'>, kind: FileKind): FileDocument {
  return {
    async read() {
      const framework = await frameworkFolder(folder)
      const found = framework === undefined ? undefined : await readFileText(join(framework, FILE_NAMES[kind]))
      return found && { content: found.text, updatedAt: found.updatedAt }
    },
    async change(edit, after) {
      const file = join((await frameworkFolder(folder, true)) as string, FILE_NAMES[kind])
      const written = await changeFile(file, (before, updatedAt) => fitting(edit(before, updatedAt)), after)
      return { content: written?.text ?? '', updatedAt: written?.updatedAt ?? '' }
    },
  }
}

interface StoredDocument extends RepoDocument {
  remove(): Promise<void>
}

export function documentInStore(
  documents: Collection<StateDocument>,
  { repo, kind }: { readonly repo: string; readonly kind: FileKind },
  ctx: Pick<CallContext, 'tenantId' | 'now'>,
): StoredDocument {
  const documentId = `${kind}:${repo}`
  return {
    async read() {
      const found = await documents.get(documentId)
      return found && { content: found.content, updatedAt: found.updatedAt }
    },
    // Calls take turns here; a concurrent change of another node is read again.
    change: (edit) => inTurn(`${ctx.tenantId} ${documentId}`, () => changeRevision(edit)),
    remove: async () => void (await documents.deleteOne(documentId)),
  }

  async function changeRevision(edit: Edit): Promise<DocumentText> {
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await documents.get(documentId)
      const content = fitting(edit(before?.content ?? '', before?.updatedAt))
      if (before && content === before.content) return before
      const updatedAt = ctx.now().toISOString()
      if (before) {
        const set = { content, revision: before.revision + 1, updatedAt }
        const after = await documents.updateOne(documentId, { set }, { revision: before.revision })
        if (after) return after
      } else if (await inserted(documents.insert({ documentId, repo, file: kind, content, revision: 1, updatedAt })))
        return { content, updatedAt }
    }
    throw Conflict({ message: `The ${kind} of ${repo} was not changed, because other writers changed it during each attempt. Try again.` })
  }
}

/**
 * Returns the file of a repo that has a folder now: it begins with the earlier content of the store, which is removed once it is
 * written.
 */
export function movedTo(file: FileDocument, stored: StoredDocument): RepoDocument {
  return {
    read: async () => (await file.read()) ?? stored.read(),
    async change(edit) {
      const before = (await file.read()) ? undefined : await stored.read()
      const written = await file.change(
        (text, updatedAt) => (text === '' ? edit(before?.content ?? '', before?.updatedAt ?? updatedAt) : edit(text, updatedAt)),
        before?.updatedAt,
      )
      if (before) await stored.remove()
      return written
    },
  }
}

async function inserted(inserting: Promise<unknown>): Promise<boolean> {
  try {
    await inserting
    return true
  } catch (error) {
    if (isToolError(error) && error.code === 'DUPLICATE_KEY') return false
    throw error
  }
}

/** Refused before it is written, because it could not be read. */
function fitting(text: string): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= MAX_FILE_BYTES) return text
  throw BadRequest({
    field: 'content',
    message: `\`content\` would make the file ${bytes} bytes long; at most ${MAX_FILE_BYTES} are kept.`,
  })
}
