import { PlanLimitReached } from '@gateway/plugin-entitlements/api'
import { atomically, Conflict, checkUnchanged, closed, defineTool, ifUpdatedAt, Type } from '@gateway/sdk'
import { remoteNames } from '../collections.ts'
import { repoChanged } from '../operations/news.ts'
import { leaveRoom, roomUses } from '../operations/room.ts'
import { remoteFields, shownEntry } from '../rules/roster-entry.ts'
import { brainNamespace, gitRemote, group, name, path, RosterEntry, SOURCES, stack } from '../schema.ts'

export const reposUpsert = defineTool({
  name: 'repos_upsert',
  description:
    'Add a repo to the roster, or update the entry of that name: omitted fields stay, but source and enabled default to manual and true. Returns {repo, created}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'PUT /api/repos/:name',
  subject: ['name'],
  input: Type.Object(
    {
      name,
      ...Type.Partial(Type.Object({ path, gitRemote, brainNamespace, stack, group })).properties,
      source: Type.Optional(Type.Enum(SOURCES, { default: 'manual', description: 'Origin of the entry.' })),
      enabled: Type.Optional(Type.Boolean({ default: true, description: 'The fleet works on it.' })),
      ifUpdatedAt,
    },
    closed,
  ),
  output: Type.Object({ repo: RosterEntry, created: Type.Boolean() }, closed),
  errors: [PlanLimitReached],
  uses: { ...roomUses, remotes: remoteNames, atomically, changed: repoChanged },
  async handle(
    { name, source = 'manual', enabled = true, stack, gitRemote, ifUpdatedAt: expected, ...facts },
    { plan, remotes, atomically, changed, ...refs },
  ) {
    const { roster } = refs
    const bound = await plan?.bound('repos')
    return atomically(async (tx) => {
      await leaveRoom(bound, name, refs, tx)
      const at = tx.now.toISOString()
      const remote = remoteFields(gitRemote)
      const given = { ...facts, ...remote, ...(stack && { stack: [...new Set(stack)] }), source, enabled, updatedAt: at }
      const before = await roster.in(tx).get(name)
      checkUnchanged(before, expected)
      // Two clones that arrive at the same moment both find the name free.
      if (source === 'cli-init' && remote.remoteKey !== undefined) {
        const owner = before?.remoteKey ?? (await remotes.in(tx).get(name))?.remoteKey
        if (owner !== undefined && owner !== remote.remoteKey)
          throw Conflict({ field: 'name', message: `\`name\` must be free or a repo with this remote; ${name} has another remote.` })
      }
      const repo = await roster.in(tx).upsert({ name, ...given, createdAt: at }, { set: given })
      // The roster says from now on whose name it is.
      if (remote.remoteKey !== undefined) await remotes.in(tx).deleteOne(name)
      await changed.emit({ repo: name, by: 'roster', fields: Object.keys(given), at }, tx)
      return { repo: shownEntry(repo), created: before === undefined }
    })
  },
})
