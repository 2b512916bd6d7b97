import { type CallContext, defineContribution, defineError, defineEvent, defineService, Type } from '@gateway/sdk'
import type { AtomDraft, AtomView, NamespaceView } from './schema.ts'

export { lint } from './rules/lint.ts'
export { checkName, checkRepo } from './rules/names.ts'
export type { AtomDraft, AtomKind, NamespaceView } from './schema.ts'
export { AtomView, contentSchema, namespaceSchema, slugSchema, topicSchema } from './schema.ts'

// ------------------------------------------------------------- events ----

/** Atoms were committed, or pushed, to whichever branch. After they are durable. */
export const brainCommitted = defineEvent(
  'brain.committed',
  Type.Object({
    branch: Type.String(),
    commit: Type.String(),
    /** Paths of the atoms, at most 200. */
    paths: Type.Array(Type.String()),
    namespaces: Type.Array(Type.String()),
  }),
)
/** A branch was merged into main. */
export const brainMerged = defineEvent(
  'brain.merged',
  Type.Object({ branch: Type.String(), commit: Type.String(), namespaces: Type.Array(Type.String()), atoms: Type.Integer() }),
)

// ------------------------------------------------------------ service ----

export interface Committed {
  readonly atom: AtomView
  readonly branch: string
  /** False for an identical re-write: the atom that is there already. */
  readonly created: boolean
}
export interface ManyCommitted {
  /** `undefined` when every atom was there already. */
  readonly commit?: string
  readonly created: number
  readonly atoms: readonly AtomView[]
}

/** The brain of the caller’s tenant: the way the tools themselves take. */
export interface Brain {
  /** Make the repository, unless it is there: for who serves it before anything was committed. */
  begin(): Promise<void>
  /** One atom as a commit of its own, together with others that wait. On `branch`, else on the current one. */
  commit(draft: AtomDraft, options?: { readonly branch?: string }): Promise<Committed>
  /**
   * Many atoms as one commit on main (packs): all of them or none, identical ones left out. At most 201 atoms (those of a pack, and
   * what tells of it), 1 MB of content and a little.
   */
  commitMany(drafts: readonly AtomDraft[], message: string): Promise<ManyCommitted>
  /** Newest first, on main and the current branch; at most 500. */
  atoms(filter: AtomFilter, limit: number): Promise<readonly AtomView[]>
  /** Atoms on main, stopping at `max`. */
  count(filter: AtomFilter, max: number): Promise<number>
  /** The content of an atom, without its front matter. */
  content(atom: Pick<AtomView, 'path'>): Promise<string | undefined>
  namespaces(): Promise<readonly NamespaceView[]>
  /** What to know of the brain at the start of work, within so many characters; '' when there is nothing. Reads the index only. */
  brief(budget: number, namespace?: string): Promise<string>
  /** For the boot bundle: the brief without its title, or ''. Never starts a process. */
  bootSection(budget: number): Promise<string>
  /** Bytes of the repository on the disk. */
  usageBytes(): Promise<number>
  /** Bring the index in step with the refs. Returns the number of atoms that came or went. */
  refresh(): Promise<number>
  /** After a push: the same, and what it has brought is announced as `brain.committed`, for each ref that is where it was pushed to. */
  pushed(refs: readonly import('@gateway/plugin-git/api').PushedRef[]): Promise<void>
  /** Why a push is refused, as a sentence, or `undefined`: rules of `rules/push.ts` and `rules/pushed-file.ts`. */
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
 * Brains of other tenants, for those who hold a grant. `grant` is asked again by each call, so that a revocation holds from
 * the next one on; the owner’s id and the grant are its caller’s to check (`brain-sharing`).
 */
export interface ForeignBrains {
  /**
   * Brief and the newest atoms of a namespace on the owner’s main, each with its content, cut to 16,384 characters. `undefined` when
   * there is no such namespace.
   */
  read(
    owner: string,
    namespace: string,
    limit: number,
  ): Promise<{ readonly brief: string; readonly atoms: readonly AtomWithContent[] } | undefined>
  /** One atom on the owner’s main, attributed to the caller’s tenant. */
  write(owner: string, draft: AtomDraft): Promise<Committed>
}
export const foreignBrains = defineService<ForeignBrains>('brain.foreign')

// ------------------------------------------------------- contributions ----

/** What a write gate throws: the tools that write declare it. */
export const BrainQuotaExceeded = defineError('BRAIN_QUOTA_EXCEEDED', {
  status: 409,
  description: 'The brain has no room for this. Nothing was changed; ask whoever runs the gateway for a larger quota.',
  details: Type.Object({ bytes: Type.Integer(), usedBytes: Type.Integer(), capBytes: Type.Integer() }),
  message: ({ bytes, usedBytes, capBytes }) => `The brain holds ${usedBytes} of ${capBytes} bytes; there is no room for ${bytes} more.`,
})

/** Asked before anything is written to a brain, whoever writes: throws BRAIN_QUOTA_EXCEEDED, or a common error, to refuse. */
export interface WriteGate {
  check(write: { readonly bytes: number; readonly tenantId: string }): Promise<void>
}
export const brainWriteGate = defineContribution<WriteGate>('brain.write-gate')

/** A corpus besides the atoms that brain_search looks into: the session corpus of memory. */
export interface SearchCorpus {
  readonly name: string
  search(query: {
    readonly query: string
    readonly repo?: string | undefined
    /** YYYY-MM-DD */
    readonly since?: string | undefined
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

/** Labeled traces of routing decisions: what a router could be trained on. Asked by brain_router_train_readiness. */
export interface RouteTraceSource {
  /** Traces with a known outcome; and how many of them since a time (ISO 8601). */
  labeled(since?: string): Promise<number>
}
export const routeTraceSource = defineContribution<RouteTraceSource>('brain.route-traces')

export type { CallContext }
