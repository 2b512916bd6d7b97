import { closed, type Infer, plainText, repoText, type TextRule, Type, UNSEEN } from '@gateway/sdk'

export const SOURCES = ['seed', 'cli-init', 'scan', 'manual', 'headless-new-app'] as const

/**
 * Names, paths and remotes become arguments of other programs. Therefore they never begin like an option or contain a control
 * character, a path does not climb, and a remote names no transport helper, which git would run.
 */
export const NAME = {
  must: 'be the name of a folder: without slashes and control characters, no - at its beginning, no white space at its end, not . or ..',
  matches: '^(?!-|\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f]*[^\\s/\\\\\\u0000-\\u001f\\u007f]$',
} satisfies TextRule
export const PATH = {
  must: 'be an absolute folder, as /work/web or C:\\\\work\\\\web, without .. and control characters',
  matches: '^(?!.*[/\\\\]\\.\\.([/\\\\]|$))(/|[A-Za-z]:[/\\\\])[^\\u0000-\\u001f\\u007f]*$',
} satisfies TextRule
export const REMOTE = {
  must: 'be a git remote without a password, a transport helper (name::), white space, or a - at its beginning',
  matches: '^(?!-)(?![^/]*::)(?![^/]*://[^/@]*:[^/@]*@)[^\\s\\u0000-\\u001f\\u007f]+$',
} satisfies TextRule

/** A new name. Those that are known keep to `NAME` alone. */
const NEW_NAME = {
  must: `${NAME.must}, without white space around it and invisible characters`,
  matches: `^(?!\\s)(?=[^${UNSEEN}]*$)${NAME.matches.slice(1)}`,
  trims: true,
} satisfies TextRule

export const name = Type.String({ minLength: 1, maxLength: 200, rule: NEW_NAME, description: 'Name of its folder.' })
export const path = Type.String({ maxLength: 1_000, rule: PATH, verbatim: true, description: 'Absolute folder.' })
export const gitRemote = Type.String({ maxLength: 500, rule: REMOTE, verbatim: true, description: 'Contains no password.' })
const LABEL = {
  must: 'have a character that is not white space, and no control characters except tabs and line feeds',
  matches: '^(?=[^]*\\S)[^\\u0000-\\u0008\\u000b-\\u001f\\u007f]*$',
}
const label = (description: string) => Type.String({ minLength: 1, maxLength: 200, rule: LABEL, description })
export const brainNamespace = label('Where its memories are kept.')
export const group = label('Group in lists.')
export const stack = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 50,
  description: 'Technologies, such as typescript.',
})

/** An entry of a tenant’s roster as it is stored and answered. Times are ISO 8601 in UTC. */
export const RosterEntry = Type.Object(
  {
    name: Type.String(),
    path: Type.Optional(Type.String()),
    gitRemote: Type.Optional(Type.String()),
    brainNamespace: Type.Optional(Type.String()),
    stack: Type.Optional(Type.Array(Type.String())),
    group: Type.Optional(Type.String()),
    source: Type.Enum(SOURCES),
    enabled: Type.Boolean(),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  closed,
)
export type RosterEntry = Infer<typeof RosterEntry>

/** An entry as it is stored: with the key of its remote, by which other clones are recognised. */
export const StoredEntry = Type.Object({ ...RosterEntry.properties, remoteKey: Type.Optional(Type.String()) }, closed)
export type StoredEntry = Infer<typeof StoredEntry>

/** Name that an unregistered remote has had since its first use, so that another remote gets another one. */
export const RemoteName = Type.Object({ name: Type.String(), remoteKey: Type.String() }, closed)
export type RemoteName = Infer<typeof RemoteName>

/** Flags that show if a repo follows the framework, by its folder. */
export const flags = {
  exists: Type.Boolean({ description: 'Its folder exists.' }),
  isGitRepo: Type.Boolean(),
  hasFramework: Type.Boolean({ description: 'It contains the folder .gateway.' }),
  hasStateAndHandoff: Type.Boolean({ description: 'It contains STATE.md and HANDOFF.md.' }),
}
const Compliance = Type.Object(flags, closed)
export type Compliance = Readonly<Infer<typeof Compliance>>

/** A repo as a caller names it. `readClue` checks it further: the schema is in the core list five times. */
export const repoArgument = repoText(1_000, { description: 'Name, absolute folder or git remote.' })
/** A clone as the hooks of a host describe it. They are in the core list, so their schemas are short; `readClue` checks them. */
export const clone = {
  remote: Type.Optional(Type.String({ maxLength: 2_000, description: 'Git remote of the clone.' })),
  root: Type.Optional(Type.String({ maxLength: 1_000, verbatim: true, description: 'Absolute folder of the clone.' })),
}

const STATUS_LEVELS = ['ok', 'warn', 'error', 'unknown'] as const
const ADDRESS = {
  must: 'be an http or https address without a password, or empty',
  matches: '^(?:https?://[^\\s@/?#\\u0000-\\u001f\\u007f]+(?:[/?#][^\\s\\u0000-\\u001f\\u007f]*)?)?$',
}
const note = (maxLength: number, description: string) => Type.String({ maxLength, rule: plainText, description })
const address = (description: string) => Type.String({ maxLength: 2_000, rule: ADDRESS, description })

/** Reportable fields of a repo in the app directory. An empty text removes a field. */
export const cardFields = {
  description: note(2_000, 'What the app is for.'),
  group: note(200, 'Group in lists.'),
  localhostUrl: address('Where it runs while it is worked on.'),
  appUrl: address('Where people use it.'),
  apiUrl: address('Where programs use it.'),
  dbLabel: note(200, 'Which database it has, in words: never a connection string with credentials.'),
  deployUrl: address('Where its deployments are seen.'),
  dnsUrl: address('Where its names are managed.'),
  lastStatus: note(1_000, 'How it was found last, in a few words.'),
  lastStatusLevel: Type.Enum(STATUS_LEVELS, { description: 'Level of lastStatus.' }),
  reportedBy: note(200, 'Reporter of the status. Default with a lastStatus: the label of your key.'),
  commitsAhead: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Commits not yet deployed.' }),
}
export const Card = Type.Object(
  {
    repoName: Type.String(),
    ...Type.Partial(Type.Object(cardFields)).properties,
    reportedByPrincipal: Type.Optional(Type.String({ description: 'Principal that reported it: `key <label>`, `user <id>`, operator.' })),
    lastPush: Type.Optional(
      Type.Object(
        { at: Type.String(), branch: Type.String(), commit: Type.Optional(Type.String()), by: Type.Optional(Type.String()) },
        { ...closed, description: 'Reported by code hosting.' },
      ),
    ),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  closed,
)
export type Card = Infer<typeof Card>
