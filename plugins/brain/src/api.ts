import { type CallContext, closed, defineContribution, defineError, defineEvent, defineService, Type } from '@gateway/sdk'
import type { AtomDraft, AtomView, NamespaceView } from './schema.ts'

export { lint } from './rules/lint.ts'
export { checkName, checkRepo } from './rules/names.ts'
export type { AtomDraft, AtomKind, NamespaceView } from './schema.ts'
export { AtomView, contentSchema, namespaceSchema, slugSchema, topicSchema } from './schema.ts'

/** A branch was merged into main. Emitted in the transaction in which the index of main arrives at the merge. */
export const brainMerged = defineEvent(
  'brain.merged',
  Type.Object({ branch: Type.String(), commit: Type.String(), at: Type.String() }, closed),
  { public: 'A branch of the brain was merged into main, by brain_merge or by a push.' },
)

export interface Committed {
  readonly atom: AtomView
  readonly branch: string
  /** False for an identical re-write: the atom exists already. */
  readonly created: boolean
}
export interface ManyCommitted {
  /** `undefined` when every atom existed already. */
  readonly commit?: string
  readonly created: number
  readonly atoms: readonly AtomView[]
}

/** The brain of the caller's tenant. The tools themselves use this service. */
export interface Brain {
  /** Creates the repository if it does not exist, for callers that serve it before anything was committed. */
  begin(): Promise<void>
  /** Throws UNAVAILABLE if this node has another repository than the one that the index was made from. */
  requireHere(): Promise<void>
  /** Commits one atom as its own commit, batched with others that wait. Writes to `branch`, else to the current one. */
  commit(draft: AtomDraft, options?: { readonly branch?: string }): Promise<Committed>
  /**
   * Commits many atoms as one commit on main (packs): all or none, identical ones left out. At most 201 atoms (those of a pack
   * and its marker) and slightly more than 1 MB of content.
   */
  commitMany(drafts: readonly AtomDraft[], message: string): Promise<ManyCommitted>
  /** Newest first, on main and the current branch; at most 500. */
  atoms(filter: AtomFilter, limit: number): Promise<readonly AtomView[]>
  /** Counts atoms on main, stopping at `max`. */
  count(filter: AtomFilter, max: number): Promise<number>
  /** Returns the content of an atom, without its front matter. */
  content(atom: Pick<AtomView, 'path'>): Promise<string | undefined>
  namespaces(): Promise<readonly NamespaceView[]>
  /**
   * Returns the summary of the brain for the start of work, limited to `budget` characters; '' when there is nothing. Reads only
   * the index.
   */
  brief(budget: number, namespace?: string): Promise<string>
  /** Returns the brief without its title for the boot bundle, or ''. Never starts a process. */
  bootSection(budget: number): Promise<string>
  /** Returns the size of the repository on disk, in bytes. */
  usageBytes(): Promise<number>
  /** Updates the index to match the refs, after a push for example. Returns the number of atoms added or removed. */
  refresh(): Promise<number>
  /**
   * Returns a sentence that says why a push is refused, or `undefined`; the rules are in `rules/push.ts` and
   * `rules/pushed-file.ts`.
   */
  refusePush(
    pushed: readonly import('@gateway/plugin-git/api').PushedRef[],
    quarantine: import('@gateway/plugin-git/api').Quarantine,
  ): Promise<string | undefined>
}
export const brain = defineService<Brain>('brain')

export interface AtomFilter {
  readonly namespace?: string | undefined
  readonly kind?: AtomDraft['kind'] | undefined
  readonly topic?: string | undefined
  readonly slug?: string | undefined
}

export type AtomWithContent = AtomView & { readonly content: string; readonly truncated: boolean }

/**
 * Brains of other tenants, for grantees. Each call checks `grant` again, so that a revocation holds from the next one on; the
 * caller (`brain-sharing`) must check the owner's id and the grant.
 */
export interface ForeignBrains {
  /**
   * Returns the brief and the newest atoms of a namespace on the owner's main, each with its content, cut to 16,384 characters.
   * `undefined` when the namespace does not exist.
   */
  read(
    owner: string,
    namespace: string,
    limit: number,
  ): Promise<{ readonly brief: string; readonly atoms: readonly AtomWithContent[] } | undefined>
  /** Writes one atom to the owner's main, attributed to the caller's tenant. */
  write(owner: string, draft: AtomDraft): Promise<Committed>
}
export const foreignBrains = defineService<ForeignBrains>('brain.foreign')

/** Thrown by a write gate; the tools that write declare it. */
export const BrainQuotaExceeded = defineError('BRAIN_QUOTA_EXCEEDED', {
  status: 409,
  description: 'The brain has reached its size quota. Nothing was changed; ask the operator of the gateway for a larger quota.',
  details: Type.Object({ bytes: Type.Integer(), usedBytes: Type.Integer(), capBytes: Type.Integer() }),
  message: ({ bytes, usedBytes, capBytes }) =>
    `The brain uses ${usedBytes} of its size quota of ${capBytes} bytes; ${bytes} more do not fit.`,
})

/** Called before any write to a brain, for every writer. Throws BRAIN_QUOTA_EXCEEDED, or a common error, to refuse. */
export interface WriteGate {
  check(write: { readonly bytes: number; readonly tenantId: string }): Promise<void>
}
export const brainWriteGate = defineContribution<WriteGate>('brain.write-gate')

/** A corpus that brain_search searches in addition to the atoms: the session corpus of memory. */
export interface SearchCorpus {
  readonly name: string
  search(query: {
    readonly query: string
    readonly repo?: string | undefined
    /** Date as YYYY-MM-DD. */
    readonly since?: string | undefined
    /** Hits that are used of it; a corpus that has more returns one more, so that the answer is marked as cut. */
    readonly limit: number
  }): Promise<
    readonly {
      readonly score: number
      readonly title: string
      readonly text: string
      readonly at: string
      readonly repo?: string
      readonly id: string
    }[]
  >
}
export const searchCorpus = defineContribution<SearchCorpus>('brain.search-corpus')

/** Labeled traces of routing decisions, as training data for a router. Used by brain_router_train_readiness. */
export interface RouteTraceSource {
  /** Counts traces with a known outcome, optionally since a time (ISO 8601). */
  labeled(since?: string): Promise<number>
}
export const routeTraceSource = defineContribution<RouteTraceSource>('brain.route-traces')

export type { CallContext }
