import { provide } from '@gateway/sdk'
import { type Committed, foreignBrains } from '../api.ts'
import { changesBelow, commitForeign } from '../operations/commit-foreign.ts'
import { indexed, viewOf } from '../operations/documents.ts'
import { foreignUses } from '../operations/foreign-uses.ts'
import { checkDraft } from '../operations/plan-atom.ts'
import { parseAtom } from '../rules/atom-file.ts'
import { compileBrief } from '../rules/compile.ts'
import { MAIN, refOf } from '../rules/names.ts'
import { briefPath, readAtomPath, repoFolder } from '../rules/paths.ts'

const MAX_TEXT = 256 * 1_024
/** Characters of one atom in an answer: fifty of them stay below a megabyte. */
const MAX_CONTENT = 16_384

/**
 * Brains of other tenants, through their repositories alone: the index of a tenant belongs to that tenant and catches up at the
 * owner's next call.
 */
export const foreignProvider = provide(foreignBrains, {
  uses: foreignUses,
  create: (uses, ctx) => ({
    async read(owner, namespace, limit) {
      const repo = uses.git.brain(owner)
      const [main] = (await repo.exists()) ? await repo.tips([refOf(MAIN)]) : []
      if (main === undefined) return undefined
      const commits = await changesBelow(repo, main, repoFolder(namespace))
      const news = commits.flatMap(({ sha, changes }) =>
        changes.filter(({ status, path }) => status === 'A' && readAtomPath(path)).map((change) => ({ ...change, commit: sha })),
      )
      const existing = await repo.entries(
        main,
        news.map(({ path }) => path),
      )
      const standing = news.filter(({ blob }, n) => existing[n] === blob).slice(0, limit)
      if (standing.length === 0) return undefined
      const texts = await repo.blobs(
        standing.map(({ blob }) => blob),
        MAX_TEXT,
      )
      const found = standing.flatMap((one, n) => {
        const text = texts[n] ?? ''
        const doc = indexed({ branch: MAIN, ...one, text }, 0)?.atom
        return doc ? [{ doc, content: parseAtom(text).content }] : []
      })
      const docs = found.map(({ doc }) => doc)
      const compiled = await repo.file(main, briefPath(namespace))
      return {
        brief: compiled ?? compileBrief(namespace, docs, [...new Set(docs.map(({ topic }) => topic))].sort()),
        atoms: found.map(({ doc, content }) => ({
          ...viewOf(doc),
          content: content.slice(0, MAX_CONTENT),
          truncated: content.length > MAX_CONTENT,
        })),
      }
    },

    async write(owner, draft): Promise<Committed> {
      checkDraft(draft)
      return commitForeign(uses, owner, draft, ctx)
    },
  }),
})
