import { closed, defineTool, Type } from '@gateway/sdk'
import { ManagedReposInvalid } from '../errors.ts'
import { knownReposUses } from '../operations/known-repos.ts'
import { repoHealth } from '../operations/repo-health.ts'
import { HEALTH } from '../rules/health.ts'
import { flags, RosterEntry } from '../schema.ts'
import { MISSING_LIST, seesFiles } from '../services/operator-files.ts'

const { createdAt: _created, updatedAt: _updated, source, enabled, name, ...others } = RosterEntry.properties

const Row = Type.Object(
  {
    name,
    ...others,
    source: Type.Optional(source),
    enabled,
    managed: Type.Boolean({ description: 'In the list of managed repos.' }),
    health: Type.Enum(HEALTH, { description: 'incomplete: a flag is false. unknown: its folder is on another machine, or not given.' }),
    ...Type.Partial(Type.Object(flags)).properties,
  },
  closed,
)

export const reposList = defineTool({
  name: 'repos_list',
  description:
    'List the repos that are looked after, by name, each with its health and whether it follows the framework. Returns {count, repos, error?}; error says that the list file of managed repos is missing.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), repos: Type.Array(Row), error: Type.Optional(Type.String()) }, closed),
  errors: [ManagedReposInvalid],
  uses: knownReposUses,
  async handle(_args, refs, ctx) {
    const [rows, managed] = await Promise.all([repoHealth(refs, ctx), seesFiles(ctx) ? refs.files.list.read() : []])
    return { count: rows.length, repos: [...rows], ...(managed === undefined && { error: MISSING_LIST }) }
  },
})
