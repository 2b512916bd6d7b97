import { isAbsolute } from 'node:path'
import { closed, defineTool, Type } from '@gateway/sdk'
import { roster } from '../collections.ts'
import { ManagedReposInvalid } from '../errors.ts'
import { allEntries } from '../operations/entries.ts'
import { HEALTH, healthOf, merge } from '../rules/health.ts'
import { flags, RosterEntry } from '../schema.ts'
import { MISSING_LIST, operatorFiles, seesFiles } from '../services/operator-files.ts'

const { createdAt: _created, updatedAt: _updated, source, enabled, name, ...others } = RosterEntry.properties

const Row = Type.Object(
  {
    name,
    ...others,
    source: Type.Optional(source),
    enabled,
    managed: Type.Boolean({ description: 'It stands in the list of managed repos.' }),
    health: Type.Enum(HEALTH, { description: 'incomplete: a flag is false. unknown: its folder is not this machine’s, or not named.' }),
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
  uses: { roster, files: operatorFiles },
  async handle(_args, { roster, files }, ctx) {
    const entries = await allEntries(roster)
    const managed = seesFiles(ctx) ? await files.list.read() : []
    const known = merge(managed ?? [], entries)
    const folders = seesFiles(ctx) ? known.flatMap(({ path }) => (path !== undefined && isAbsolute(path) ? [path] : [])) : []
    const checked = await files.checks.ofAll(folders)
    const byFolder = new Map(folders.map((path, at) => [path, checked[at]]))
    const repos = known.map((repo) => {
      const flags = repo.path === undefined ? undefined : byFolder.get(repo.path)
      return { ...repo, health: healthOf(flags), ...flags }
    })
    return { count: repos.length, repos, ...(managed === undefined && { error: MISSING_LIST }) }
  },
})
