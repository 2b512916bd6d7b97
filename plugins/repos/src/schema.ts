import { type Infer, Type } from '@gateway/sdk'

export const SOURCES = ['seed', 'cli-init', 'scan', 'manual', 'headless-new-app'] as const

/**
 * Names, paths and remotes end up as arguments of other programs. So none begins like an option, none holds a control
 * character, a path does not climb, and a remote names no transport helper, which git would run.
 */
export const NAME = '^(?!-|\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f]*[^\\s/\\\\\\u0000-\\u001f\\u007f]$'
export const PATH = '^(?!.*[/\\\\]\\.\\.([/\\\\]|$))(/|[A-Za-z]:[/\\\\])[^\\u0000-\\u001f\\u007f]*$'
export const REMOTE = '^(?!-)(?![^/]*::)(?![^/]*://[^/@]*:[^/@]*@)[^\\s\\u0000-\\u001f\\u007f]+$'

export const name = Type.String({ minLength: 1, maxLength: 200, pattern: NAME, description: 'As its folder is called.' })
export const path = Type.String({ maxLength: 1_000, pattern: PATH, description: 'Absolute folder.' })
export const gitRemote = Type.String({ maxLength: 500, pattern: REMOTE, description: 'Without a password.' })
const label = (description: string) => Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description })
export const brainNamespace = label('Where its memories are kept.')
export const group = label('What it is listed under.')
export const stack = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 50,
  description: 'What it is built with, as typescript.',
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
  { additionalProperties: false },
)
export type RosterEntry = Infer<typeof RosterEntry>

/** Whether a repo follows the framework, as its folder shows. */
export const flags = {
  exists: Type.Boolean({ description: 'Its folder is there.' }),
  isGitRepo: Type.Boolean(),
  hasFramework: Type.Boolean({ description: 'It has the folder .gateway.' }),
  hasStateAndHandoff: Type.Boolean({ description: 'STATE.md and HANDOFF.md are in it.' }),
}
const Compliance = Type.Object(flags, { additionalProperties: false })
export type Compliance = Readonly<Infer<typeof Compliance>>
