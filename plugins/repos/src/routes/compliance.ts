import { closed, defined, defineRoute, Type } from '@gateway/sdk'
import { roster } from '../collections.ts'
import { ManagedReposInvalid } from '../errors.ts'
import { allEntries } from '../operations/entries.ts'
import { flags } from '../schema.ts'
import { MISSING_LIST, operatorFiles, seesFiles } from '../services/operator-files.ts'

const Row = Type.Object(
  {
    name: Type.String(),
    path: Type.Optional(Type.String()),
    group: Type.Optional(Type.String()),
    gitRemote: Type.Optional(Type.String()),
    ...Type.Partial(Type.Object(flags)).properties,
  },
  closed,
)

export const reposCompliance = defineRoute({
  name: 'repos.compliance',
  description:
    'List the managed repos and whether each follows the framework. Returns {count, repos, error?}, with error when the list file is missing; a tenant gets its roster, without the flags.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/repos',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), repos: Type.Array(Row), error: Type.Optional(Type.String()) }, closed),
  errors: [ManagedReposInvalid],
  uses: { roster, files: operatorFiles },
  async handle(_args, { roster, files }, ctx) {
    if (!seesFiles(ctx)) {
      const repos = (await allEntries(roster)).map(({ name, path, group, gitRemote }) => ({
        name,
        ...defined({ path, group, gitRemote }),
      }))
      return { count: repos.length, repos }
    }
    const managed = await files.list.read()
    if (!managed) return { count: 0, repos: [], error: MISSING_LIST }
    const checked = await files.checks.ofAll(managed.map(({ path }) => path))
    return { count: managed.length, repos: managed.map((repo, at) => ({ ...repo, ...checked[at] })) }
  },
})
