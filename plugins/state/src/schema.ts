import { repoArgument } from '@gateway/plugin-repos/api'
import { closed, type Infer, nonBlankText, plainLineText, Type } from '@gateway/sdk'

export const FILES = ['state', 'handoff'] as const
export type FileKind = (typeof FILES)[number]

/** Maximum size of one file. Agents read it whole, and each change reads its lines once or twice. */
export const MAX_FILE_BYTES = 524_288
/** Limit of one section, and of one handoff entry: an answer with a history of them can still carry it. */
export const MAX_CONTENT = 131_072

export const repo = repoArgument
/** Present in each answer about a repo that is not registered. */
export const hint = Type.Optional(Type.String({ description: 'Says how to register the repo; absent when it is registered.' }))

/** A file of a repo that has no folder here. */
export const StateDocument = Type.Object(
  {
    /** The file, then the repo: `state:web`. */
    documentId: Type.String(),
    repo: Type.String(),
    file: Type.Enum(FILES),
    content: Type.String(),
    /** Rises by one at each change: a change replaces only the revision it was made from. */
    revision: Type.Integer(),
    updatedAt: Type.String(),
  },
  closed,
)
export type StateDocument = Infer<typeof StateDocument>

const noted = (maxLength: number, description: string) => Type.Optional(plainLineText(maxLength, { description }))

export const handoffFields = {
  content: nonBlankText(MAX_CONTENT),
  summary: noted(500, 'One line.'),
  author: noted(200, 'Default: the label of your key.'),
  branch: noted(250, 'Git branch of the work.'),
  machine: noted(200, 'Machine of the work.'),
  sessionId: noted(200, 'Session that ends.'),
}

/** An entry as it is stored and answered. It never changes. */
export const Handoff = Type.Object(
  {
    handoffId: Type.String({ description: 'Prefix ho-; ids of a repo rise in order of creation.' }),
    repo: Type.String(),
    ...handoffFields,
    authorPrincipal: Type.Optional(Type.String({ description: 'Principal that wrote it: `key <label>`, `user <id>`, operator.' })),
    createdAt: Type.String(),
  },
  closed,
)
export type Handoff = Infer<typeof Handoff>

/** Facts about the entries of a repo, available without reading them. */
export const HandoffHead = Type.Object(
  { repo: Type.String(), latest: Type.String(), entries: Type.Integer(), updatedAt: Type.String() },
  closed,
)
export type HandoffHead = Infer<typeof HandoffHead>

/** An entry that the handoff file of its repo does not hold yet. */
export const DueMirror = Type.Object({ handoffId: Type.String(), repo: Type.String() }, closed)
