import { repoArgument } from '@gateway/plugin-repos/api'
import { closed, Type } from '@gateway/sdk'
import { EDGE_TYPES } from './rules/graph.ts'
import { MAX_PATHS } from './rules/protocol.ts'

export const repo = Type.Optional({ ...repoArgument, description: 'Name or absolute folder of the repo. Default: the framework root.' })
const path = Type.String({ minLength: 1, maxLength: 1_000, verbatim: true, description: 'Path in the repo.' })
export const files = Type.Array(path, {
  maxItems: 5_000,
  description: 'Changed files, relative to the repo; they take precedence over base and head.',
})
const ref = (description: string) => Type.String({ minLength: 1, maxLength: 250, description })
export const base = ref('Git ref the change began from.')
export const head = ref('Git ref with the change.')

export const DEPTH = { default: 6, max: 50 } as const
export const maxDepth = Type.Optional(
  Type.Integer({
    default: DEPTH.default,
    minimum: 1,
    description: `Number of imports to follow, at most ${DEPTH.max}; a larger value means the maximum.`,
  }),
)
export const node = (description: string) => Type.String({ minLength: 1, maxLength: 1_200, description })
export const edgeTypes = Type.Optional(
  Type.Array(Type.Enum(EDGE_TYPES), { maxItems: 10, description: 'Kinds of edges. Default, also for an empty list: all.' }),
)

export const graph = Type.Object(
  {
    files: Type.Integer(),
    unreadable: Type.Integer({ description: 'Files that are too large or that the parser rejects; only their imports are known.' }),
    unreadablePaths: Type.Array(Type.String(), { description: `The first ${MAX_PATHS} of them by path.` }),
    otherSources: Type.Integer({ description: 'Sources in languages whose imports are not read.' }),
    complete: Type.Boolean({ description: 'false: the repo has other sources, or more files than are read.' }),
  },
  closed,
)
