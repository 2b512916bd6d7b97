import { type CommitChanges, git, type Oid, type Repository } from '@gateway/plugin-git/api'
import { type CallContext, NotFound, provide, Unavailable } from '@gateway/sdk'
import { brainWriteGate, type Committed, foreignBrains } from '../api.ts'
import { author } from '../operations/begin.ts'
import { indexed, viewOf } from '../operations/documents.ts'
import { checkDraft } from '../operations/plan-atom.ts'
import { blobId, type FrontMatter, parseAtom, renderAtom } from '../rules/atom-file.ts'
import { compileBrief } from '../rules/compile.ts'
import { atomDigest } from '../rules/digest.ts'
import { MAIN, refOf } from '../rules/names.ts'
import { atomPath, briefPath, readAtomPath, repoFolder, stampOf } from '../rules/paths.ts'
import { type AtomDraft, GENERAL } from '../schema.ts'

/** Commits back from main in which the newest atoms of a namespace are looked for. */
const COMMITS = 500
const MAX_TEXT = 256 * 1_024
/** Characters of one atom that are answered: fifty of them stay below a megabyte. */
const MAX_CONTENT = 16_384
const ATTEMPTS = 8

/**
 * Brains of other tenants, through their repositories alone: the index of a tenant is its own, and catches up by itself when
 * the owner looks next.
 */
export const foreignProvider = provide(foreignBrains, {
  uses: { git, gates: brainWriteGate },
  create: ({ git, gates }, ctx) => ({
    async read(owner, namespace, limit) {
      const repo = git.brain(owner)
      const [main] = (await repo.exists()) ? await repo.tips([refOf(MAIN)]) : []
      if (main === undefined) return undefined
      const commits = await changesBelow(repo, main, repoFolder(namespace))
      const news = commits.flatMap(({ sha, changes }) =>
        changes.filter(({ status, path }) => status === 'A' && readAtomPath(path)).map((change) => ({ ...change, commit: sha })),
      )
      const there = await repo.entries(
        main,
        news.map(({ path }) => path),
      )
      const standing = news.filter(({ blob }, n) => there[n] === blob).slice(0, limit)
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
      const repo = git.brain(owner)
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const [main] = (await repo.exists()) ? await repo.tips([refOf(MAIN)]) : []
        if (main === undefined) throw NotFound({ what: 'brain of tenant', id: owner })
        const atom = newAtom(draft, ctx)
        const newest = await newestOfSlug(repo, main, draft)
        if (newest && newest.digest === atomDigest(atom.front, draft.content)) return { atom: viewOf(newest), branch: MAIN, created: false }
        for (const gate of gates) await gate.check({ bytes: Buffer.byteLength(atom.text), tenantId: owner })
        const message = `${draft.kind}(${draft.repo}): ${draft.slug}\n\nTopic: ${atom.front.topic}\nWriter: ${ctx.tenantId}\n`
        const files = [{ path: atom.path, content: atom.text }]
        const commit = { ref: refOf(MAIN), message, author: author(ctx), at: ctx.now(), files }
        const written = await repo.write({ commits: [commit], tips: new Map([[refOf(MAIN), main]]) })
        if (!written.written) continue
        const made = indexed({ branch: MAIN, ...atom, blob: blobId(atom.text), commit: written.commits[0] as string }, 0)
        if (made) return { atom: viewOf(made.atom), branch: MAIN, created: true }
      }
      throw Unavailable({ message: 'The brain of the owner is being written to all the time; try again shortly.', retryAfterSeconds: 1 })
    },
  }),
})

/** The newest commits that touch a folder. Of one that is not there the whole history would be walked for nothing. */
async function changesBelow(repo: Repository, main: Oid, folder: string): Promise<readonly CommitChanges[]> {
  const [there] = await repo.entries(main, [folder])
  return there === undefined ? [] : repo.changes({ to: main, path: folder, limit: COMMITS })
}

function newAtom({ kind, repo: namespace = '', slug, topic = GENERAL, content }: AtomDraft, ctx: Pick<CallContext, 'tenantId' | 'now'>) {
  const at = ctx.now()
  // The moment is in it: the same content again later is another file, and another atom.
  const front: FrontMatter = { kind, repo: namespace, slug, topic, created: at.toISOString(), writer: ctx.tenantId }
  const text = renderAtom(front, content)
  return { front, text, path: atomPath({ kind, namespace, stamp: stampOf(at), slug, sha8: blobId(text).slice(0, 8) }) }
}

async function newestOfSlug(repo: Repository, main: Oid, { kind, repo: namespace = '', slug }: AtomDraft) {
  for (const { sha, changes } of await changesBelow(repo, main, `${repoFolder(namespace)}/${kind}`)) {
    const found = changes.find(({ status, path }) => status === 'A' && readAtomPath(path)?.slug === slug)
    if (!found) continue
    const text = await repo.file(main, found.path)
    return text === undefined ? undefined : indexed({ branch: MAIN, path: found.path, blob: found.blob, commit: sha, text }, 0)?.atom
  }
  return undefined
}
