import { BadRequest } from '@gateway/sdk'
import { blobId, type FrontMatter, renderAtom } from '../rules/atom-file.ts'
import { atomDigest } from '../rules/digest.ts'
import { checkName, checkRepo } from '../rules/names.ts'
import { atomPath, stampOf } from '../rules/paths.ts'
import { type AtomDraft, GENERAL } from '../schema.ts'
import { type AtomDoc, atomId, indexed } from './documents.ts'
import type { Refs } from './refs.ts'

export interface Planned {
  /** The existing atom, if nothing has to be written. */
  readonly known: AtomDoc | undefined
  readonly path: string
  readonly blob: string
  readonly text: string
  readonly topic: string
  document(branch: string, commit: string): NonNullable<ReturnType<typeof indexed>>
}
export interface AtomRequest {
  readonly draft: AtomDraft
  /** The branch to write to, and main. */
  readonly visible: readonly string[]
  readonly at: Date
  readonly writer?: string | undefined
  readonly author: string
}

type Named = Pick<AtomDraft, 'kind' | 'repo' | 'slug' | 'topic' | 'codeSha' | 'codeCommits'>

/** Checks rules for the arguments of a tool that its schema cannot express. */
export function checkDraft(draft: Named, prefix = ''): void {
  checkAsked(draft, prefix)
  if (draft.repo !== undefined) checkRepo(`${prefix}repo`, draft.repo)
}

/** Checks the rules that hold for a draft as it is asked for, while its repo may still be a folder or a remote. */
export function checkAsked({ kind, repo, slug, topic, codeSha, codeCommits = [] }: Named, prefix = ''): void {
  if (kind === 'memory' && repo !== undefined)
    throw BadRequest({
      field: `${prefix}repo`,
      message: `\`${prefix}repo\` must be omitted for kind memory, which belongs to no repo; got ${JSON.stringify(repo)}`,
    })
  if (kind !== 'memory' && repo === undefined)
    throw BadRequest({ field: `${prefix}repo`, message: `\`${prefix}repo\` is required for kind ${kind}; got nothing` })
  checkName(`${prefix}slug`, slug)
  if (topic !== undefined) checkName(`${prefix}topic`, topic)
  for (const [field, sha] of [['code_sha', codeSha] as const, ...codeCommits.map((sha, n) => [`code_commits[${n}]`, sha] as const)])
    if (sha !== undefined && !/^[0-9a-f]{7,64}$/i.test(sha))
      throw BadRequest({
        field: `${prefix}${field}`,
        message: `\`${prefix}${field}\` must be 7 to 64 hex digits; got ${JSON.stringify(sha)}`,
      })
}

/** Plans drafts one after another, as if each were written before the next is considered. */
export class Planner {
  readonly #refs: Refs
  readonly #newest = new Map<string, { readonly digest: string; readonly doc: AtomDoc }>()
  readonly #stored = new Map<string, { readonly digest: string; readonly doc: AtomDoc } | undefined>()
  readonly #paths = new Set<string>()

  constructor(refs: Refs) {
    this.#refs = refs
  }

  /** Reads in one batch the data that several plans would request one after another. */
  async prepare(requests: readonly Pick<AtomRequest, 'draft' | 'visible'>[]): Promise<void> {
    await Promise.all(
      requests.map(async ({ draft: { kind, repo = '', slug }, visible }) => {
        const key = keyOf(visible, kind, repo, slug)
        if (!this.#stored.has(key)) this.#stored.set(key, await this.#newestOf(visible, kind, repo, slug))
      }),
    )
  }

  async plan({ draft, visible, at, writer, author }: AtomRequest): Promise<Planned> {
    const { kind, repo: namespace = '', slug } = draft
    const [branch = 'main'] = visible
    const front: FrontMatter = {
      kind,
      ...(namespace !== '' && { repo: namespace }),
      slug,
      topic: draft.topic ?? GENERAL,
      created: at.toISOString(),
      supersedes: await this.#superseded(draft, visible),
      writer,
      author,
      code_repo: draft.codeRepo,
      code_branch: draft.codeBranch,
      code_sha: draft.codeSha?.toLowerCase(),
      code_commits: draft.codeCommits?.length ? draft.codeCommits.map((sha) => sha.toLowerCase()) : undefined,
    }
    const digest = atomDigest(front, draft.content)
    const key = keyOf(visible, kind, namespace, slug)
    const stored = this.#stored.has(key) ? this.#stored.get(key) : await this.#newestOf(visible, kind, namespace, slug)
    const newest = this.#newest.get(key) ?? stored
    if (newest?.digest === digest) return this.#planned(newest.doc, newest.doc.path, '', '', front)
    for (let again = 0; ; again++) {
      const text = renderAtom(again === 0 ? front : { ...front, again: `x${again}` }, draft.content)
      const blob = blobId(text)
      const path = atomPath({ kind, namespace, stamp: stampOf(at), slug, sha8: blob.slice(0, 8) })
      // The path contains kind, repo and slug: without an atom of these the path is free.
      if (this.#paths.has(path) || (stored && (await this.#isTaken(visible, path)))) continue
      this.#paths.add(path)
      const planned = this.#planned(undefined, path, blob, text, front)
      this.#newest.set(key, { digest, doc: planned.document(branch, '').atom })
      return planned
    }
  }

  async #isTaken(visible: readonly string[], path: string): Promise<boolean> {
    return (await this.#refs.atoms.getMany(visible.map((branch) => atomId(branch, path)))).length > 0
  }

  #planned(known: AtomDoc | undefined, path: string, blob: string, text: string, front: FrontMatter): Planned {
    return {
      known,
      path,
      blob,
      text,
      topic: front.topic ?? GENERAL,
      document: (branch, commit) => indexed({ branch, path, blob, commit, text }, 0) as NonNullable<ReturnType<typeof indexed>>,
    }
  }

  async #newestOf(visible: readonly string[], kind: AtomDoc['kind'], namespace: string, slug: string) {
    const found = await Promise.all(
      visible.map((branch) => this.#refs.atoms.find({ where: { branch, kind, namespace, slug }, sort: { seq: -1 }, limit: 1 })),
    )
    const doc = found.flatMap(({ items }) => items).sort((a, b) => b.seq - a.seq)[0]
    return doc && { digest: doc.digest, doc }
  }

  /** Returns the path of the replaced atom: by its sha8, or the newest of its slug, of the same namespace first. */
  async #superseded({ supersedes, repo = '' }: AtomDraft, visible: readonly string[]): Promise<string | undefined> {
    if (supersedes === undefined) return undefined
    const bySha = /^[0-9a-f]{8}$/.test(supersedes) ? await this.#refs.atoms.find({ where: { sha8: supersedes }, limit: 100 }) : undefined
    const bySlug = await Promise.all(
      visible.map((branch) => this.#refs.atoms.find({ where: { branch, slug: supersedes }, sort: { seq: -1 }, limit: 100 })),
    )
    const inBatch = [...this.#newest.values()].map(({ doc }) => doc).filter((doc) => doc.slug === supersedes || doc.sha8 === supersedes)
    const all = [
      ...(bySha?.items ?? []).filter(({ branch }) => visible.includes(branch)),
      ...inBatch.reverse(),
      ...bySlug.flatMap(({ items }) => items),
    ]
    const found = all.find(({ namespace }) => namespace === repo) ?? all[0]
    if (found) return found.path
    const message = `\`supersedes\` must be the slug or the sha8 of an atom on the current branch or main; got ${JSON.stringify(supersedes)}`
    throw BadRequest({ field: 'supersedes', message })
  }
}

const keyOf = ([branch = 'main']: readonly string[], kind: string, namespace: string, slug: string): string =>
  `${branch} ${kind} ${namespace} ${slug}`
