import { closed, defined, type Infer, repoText, Type } from '@gateway/sdk'

export const ATOM_KINDS = ['session', 'handoff', 'memory'] as const
export type AtomKind = (typeof ATOM_KINDS)[number]
export const ENTITY_KINDS = ['repo', 'file', 'feature', 'person', 'decision'] as const
export type EntityKind = (typeof ENTITY_KINDS)[number]

/** Tags that need no explanation; others are accepted as well. */
export const KNOWN_TOPICS = [
  'runner-ops',
  'cost-policy',
  'gateway-infra',
  'go-live',
  'continuity',
  'distribution',
  'billing',
  'brain',
  'security',
  'docs',
] as const
export const GENERAL = 'general'

/** Names become parts of paths and refs: letters, digits, `.`, `_`, `-`, without `..`; `rules/names.ts` has the other rules. */
const name = (maxLength: number, description?: string) =>
  Type.String({
    pattern: `^[A-Za-z0-9_][A-Za-z0-9._-]{0,${maxLength - 1}}$`,
    rule: { must: `have 1 to ${maxLength} letters, digits, ., _ and -, the first not . or -` },
    ...defined({ description }),
  })
export const slugSchema = name(80, 'Letters, digits, `.`, `_` and `-`.')
/** Any name of a repo; `rules/names.ts` has the rest of the rule. */
export const namespaceSchema = repoText(200, { description: 'Namespace: the bare name of a repo.' })
export const topicSchema = name(60)
/** Maximum length of the text of an atom, in characters. */
export const MAX_CONTENT = 2_000_000
export const contentSchema = Type.String({ minLength: 1, maxLength: MAX_CONTENT, description: 'Markdown.' })

/** The branch that a call writes to, instead of the current one; `rules/names.ts` has the rule. */
export const branchArgument = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 90,
    description: 'Branch for this call alone: main, session/… or idea/…. Default: your current branch.',
  }),
)

/** An atom in an answer; its content is in the repository, and in `content` for tools that say so. */
export const AtomView = Type.Object(
  {
    path: Type.String({ description: 'Path in the repository.' }),
    sha8: Type.String({ description: 'First 8 digits of its blob hash; supersedes, brain_pin and brain_unpin accept it.' }),
    kind: Type.Enum(ATOM_KINDS),
    repo: Type.Optional(Type.String()),
    slug: Type.String(),
    topic: Type.String(),
    title: Type.String({ description: 'First heading or line.' }),
    at: Type.String({ description: 'ISO 8601.' }),
    branch: Type.String(),
    commit: Type.String({ description: 'Commit that added it.' }),
    bytes: Type.Integer(),
    supersedes: Type.Optional(Type.String({ description: 'Path of the atom it replaces.' })),
    superseded: Type.Optional(Type.Boolean({ description: 'A newer atom replaces it.' })),
    pinned: Type.Optional(Type.Boolean()),
    writer: Type.Optional(Type.String({ description: 'Tenant that wrote it, if not the owner.' })),
    author: Type.Optional(Type.String({ description: 'Principal that wrote it, as its file says.' })),
  },
  closed,
)
export type AtomView = Infer<typeof AtomView>

export interface AtomDraft {
  readonly kind: AtomKind
  /** The namespace: required for session and handoff, absent for memory. */
  readonly repo?: string | undefined
  readonly slug: string
  readonly content: string
  readonly topic?: string | undefined
  /** Slug or sha8 of a visible atom. */
  readonly supersedes?: string | undefined
  readonly pin?: boolean | undefined
  readonly codeRepo?: string | undefined
  readonly codeBranch?: string | undefined
  readonly codeSha?: string | undefined
  readonly codeCommits?: readonly string[] | undefined
}

export const NamespaceView = Type.Object(
  {
    namespace: Type.String(),
    hasBrief: Type.Boolean({ description: 'A merge has compiled a brief.' }),
    hasWorking: Type.Boolean({ description: 'An open branch has atoms of it that main lacks.' }),
    atoms: Type.Object({ session: Type.Integer(), handoff: Type.Integer() }, { ...closed, description: 'Atoms on main.' }),
    lastAnchor: Type.Optional(Type.String({ description: 'Last merge that touched it.' })),
  },
  closed,
)
export type NamespaceView = Infer<typeof NamespaceView>

/** Maximum number of commits read for one delta. */
export const MAX_DELTA = 2_000

export const TouchView = Type.Object(
  { at: Type.String(), path: Type.String(), sha8: Type.String(), title: Type.String(), repo: Type.Optional(Type.String()) },
  closed,
)

export const CommunityView = Type.Object(
  {
    label: Type.String(),
    size: Type.Integer(),
    entities: Type.Array(Type.Object({ kind: Type.String(), name: Type.String(), atoms: Type.Integer() }, closed)),
    atoms: Type.Integer(),
    repos: Type.Array(Type.String()),
    topics: Type.Array(Type.String()),
    firstAt: Type.String(),
    lastAt: Type.String(),
    sample: Type.Array(Type.Object({ path: Type.String(), title: Type.String() }, closed)),
  },
  closed,
)

export const ObservationView = Type.Object(
  {
    observationId: Type.String(),
    at: Type.String(),
    repo: Type.Optional(Type.String()),
    session: Type.Optional(Type.String()),
    branch: Type.Optional(Type.String()),
    tool: Type.Optional(Type.String()),
    target: Type.Optional(Type.String()),
    exit: Type.String(),
    files: Type.Array(Type.String()),
  },
  closed,
)
export type ObservationView = Infer<typeof ObservationView>
