import type { CommitChanges, Oid, Repository } from '@gateway/plugin-git/api'
import { type CallContext, NotFound, principalName, type Resolved, Unavailable } from '@gateway/sdk'
import type { Committed } from '../api.ts'
import { blobId, type FrontMatter, renderAtom } from '../rules/atom-file.ts'
import { ATTEMPTS, lostRace } from '../rules/lost-race.ts'
import { MAIN, refOf } from '../rules/names.ts'
import { atomPath, readAtomPath, repoFolder, stampOf } from '../rules/paths.ts'
import { type AtomDraft, GENERAL } from '../schema.ts'
import type { Queued } from '../services/sequencer.ts'
import { author } from './begin.ts'
import { type AtomDoc, indexed, viewOf } from './documents.ts'
import type { foreignUses } from './foreign-uses.ts'

type Refs = Resolved<typeof foreignUses>
type Caller = Pick<CallContext, 'tenantId' | 'now' | 'principal' | 'client'>

interface Waiting extends Queued {
  readonly draft: AtomDraft
  readonly caller: Caller
  readonly resolve: (done: Committed) => void
  readonly reject: (error: unknown) => void
}
interface Planned {
  readonly waiting: Waiting
  readonly doc: AtomDoc
  readonly text: string
}

/** Commits back from main in which the newest atoms of a namespace are looked for. */
const COMMITS = 500
/** Writes of one other tenant that may wait for a brain, and those of all others together. */
const GUESTS = { one: 32, all: 256 }

/**
 * Commits an atom of another tenant to the owner’s main. It waits in the sequence of the owner’s brain, and goes together with others
 * that wait; the owner’s own commits take turns with them.
 */
export async function commitForeign(refs: Refs, owner: string, draft: AtomDraft, caller: Caller): Promise<Committed> {
  const shares = [
    { key: `${owner} ${caller.tenantId}`, atMost: GUESTS.one },
    { key: `${owner} `, atMost: GUESTS.all },
  ]
  if (refs.sequencer.guests.take(shares))
    throw Unavailable({ message: 'Too many writes to the owner’s brain are waiting; try again shortly.', retryAfterSeconds: 1 })
  try {
    return await new Promise<Committed>((resolve, reject) => {
      const waiting = { draft, caller, bytes: Buffer.byteLength(draft.content), resolve, reject }
      refs.sequencer.join<Waiting>(owner, 'foreign', waiting, (all) => flush(refs, owner, all))
    })
  } finally {
    refs.sequencer.guests.give(shares)
  }
}

async function flush(refs: Refs, owner: string, all: readonly Waiting[]): Promise<void> {
  let left = all
  try {
    for (let attempt = 1; left.length > 0; attempt++) {
      if (attempt > ATTEMPTS) throw lostRace()
      left = await commitAll(refs, owner, left)
    }
  } catch (error) {
    for (const { reject } of left) reject(error)
  }
}

/** Commits all that can be committed; those that lost a race have to be decided again. */
async function commitAll(refs: Refs, owner: string, all: readonly Waiting[]): Promise<readonly Waiting[]> {
  const repo = refs.git.brain(owner)
  const [main] = (await repo.exists()) ? await repo.tips([refOf(MAIN)]) : []
  if (main === undefined) throw NotFound({ what: 'brain of tenant', id: owner })
  const known = new NewestOfSlugs(repo, main)
  const plans: Planned[] = []
  const again: { readonly waiting: Waiting; readonly plan: Planned }[] = []
  for (const waiting of all) {
    try {
      const plan = newAtom(waiting, plans)
      const twin = plans.findLast(({ doc }) => isSameSlug(doc, plan.doc))
      const newest = twin?.doc ?? (await known.of(waiting.draft))
      if (newest?.digest !== plan.doc.digest) {
        for (const gate of refs.gates) await gate.check({ bytes: Buffer.byteLength(plan.text), tenantId: owner })
        plans.push(plan)
      } else if (twin) again.push({ waiting, plan: twin })
      else waiting.resolve({ atom: viewOf(newest), branch: MAIN, created: false })
    } catch (error) {
      waiting.reject(error)
    }
  }
  if (plans.length === 0) return []
  const written = await repo.write({ commits: plans.map(commitOf), tips: new Map([[refOf(MAIN), main]]) })
  if (!written.written) return [...plans, ...again].map(({ waiting }) => waiting)
  const atomOf = (plan: Planned) => viewOf({ ...plan.doc, commit: written.commits[plans.indexOf(plan)] as Oid })
  for (const plan of plans) plan.waiting.resolve({ atom: atomOf(plan), branch: MAIN, created: true })
  for (const { waiting, plan } of again) waiting.resolve({ atom: atomOf(plan), branch: MAIN, created: false })
  return []
}

const isSameSlug = (a: AtomDoc, b: AtomDoc): boolean => a.kind === b.kind && a.namespace === b.namespace && a.slug === b.slug

/** An atom that says who wrote it, at a path that no other one of the batch has. */
function newAtom(waiting: Waiting, plans: readonly Planned[]): Planned {
  const { kind, repo: namespace = '', slug, topic = GENERAL, content } = waiting.draft
  const at = waiting.caller.now()
  for (let again = 0; ; again++) {
    const front: FrontMatter = {
      kind,
      repo: namespace,
      slug,
      topic,
      // The same content again later is another file, and another atom.
      created: at.toISOString(),
      writer: waiting.caller.tenantId,
      author: principalName(waiting.caller.principal),
      ...(again > 0 && { again: `x${again}` }),
    }
    const text = renderAtom(front, content)
    const path = atomPath({ kind, namespace, stamp: stampOf(at), slug, sha8: blobId(text).slice(0, 8) })
    const made = indexed({ branch: MAIN, path, blob: blobId(text), commit: '', text }, 0)
    if (!made) throw new Error(`not an atom: ${path}`)
    if (!plans.some(({ doc }) => doc.path === path)) return { waiting, doc: made.atom, text }
  }
}

function commitOf({ waiting: { draft, caller }, doc, text }: Planned) {
  const message = `${draft.kind}(${draft.repo}): ${draft.slug}\n\nTopic: ${doc.topic}\nWriter: ${caller.tenantId}\n`
  return { ref: refOf(MAIN), message, author: author(caller), at: caller.now(), files: [{ path: doc.path, content: text }] }
}

/** The newest commits that touch a folder. For a folder that is not there git would walk the whole history. */
export async function changesBelow(repo: Repository, main: Oid, folder: string): Promise<readonly CommitChanges[]> {
  const [existing] = await repo.entries(main, [folder])
  return existing === undefined ? [] : repo.changes({ to: main, path: folder, limit: COMMITS })
}

/** The newest atom of each slug on main; the history of a folder is read once for all of a batch. */
class NewestOfSlugs {
  readonly #repo: Repository
  readonly #main: Oid
  readonly #histories = new Map<string, Promise<readonly CommitChanges[]>>()

  constructor(repo: Repository, main: Oid) {
    this.#repo = repo
    this.#main = main
  }

  async of({ kind, repo: namespace = '', slug }: AtomDraft): Promise<AtomDoc | undefined> {
    const folder = `${repoFolder(namespace)}/${kind}`
    const history = this.#histories.get(folder) ?? changesBelow(this.#repo, this.#main, folder)
    this.#histories.set(folder, history)
    for (const { sha, changes } of await history) {
      const found = changes.find(({ status, path }) => status === 'A' && readAtomPath(path)?.slug === slug)
      if (!found) continue
      const [text] = await this.#repo.blobs([found.blob], MAX_ATOM_TEXT_BYTES)
      const [existing] = await this.#repo.entries(this.#main, [found.path])
      if (existing !== found.blob || text === undefined) return undefined
      return indexed({ branch: MAIN, path: found.path, blob: found.blob, commit: sha, text }, 0)?.atom
    }
    return undefined
  }
}
const MAX_ATOM_TEXT_BYTES = 8 * 1_024 * 1_024
