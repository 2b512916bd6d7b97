import { git } from '@gateway/plugin-git/api'
import { repoResolver } from '@gateway/plugin-repos/api'
import { atomically, closed, defineTool, optional, Type } from '@gateway/sdk'
import { branches, currents, observations, rings } from '../collections.ts'
import { config } from '../config.ts'
import { checkExists } from '../operations/branches.ts'
import { currentBranch } from '../operations/current.ts'
import { namespaceOf } from '../operations/namespace-of.ts'
import { observe } from '../operations/observe.ts'
import { checkBranch, isSession } from '../rules/names.ts'
import { branchArgument } from '../schema.ts'

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

export const brainObserve = defineTool({
  name: 'brain_observe',
  description:
    'Capture one raw step of your work, a tool call and how it ended, in a ring that forgets the oldest; it is not an atom and is not committed. Returns {observationId, at}.',
  capability: 'work',
  effect: 'write',
  repairsText: true,
  input: Type.Object(
    {
      repo: text(200),
      session: text(200),
      tool: text(200),
      target: Type.Optional(Type.String({ description: 'Cut at 300 characters.' })),
      exit: Type.Optional(Type.Enum(['ok', 'error', 'unknown'], { default: 'unknown' })),
      files: Type.Optional(
        Type.Array(Type.String({ maxLength: 500, verbatim: true }), { maxItems: 200, description: 'Files it touched.' }),
      ),
      branch: branchArgument,
    },
    closed,
  ),
  output: Type.Object({ observationId: Type.String(), at: Type.String() }, closed),
  uses: { git, branches, currents, observations, rings, config, atomically, resolver: optional(repoResolver) },
  check({ branch }) {
    if (branch !== undefined) checkBranch('branch', branch)
  },
  async handle({ branch: wanted, repo, ...step }, { currents, atomically, resolver, git, branches, ...refs }, ctx) {
    // The merge of a session deletes its branch, and a step may come later.
    if (wanted !== undefined && !isSession(wanted)) await checkExists(wanted, { git, branches }, ctx)
    const branch = wanted ?? (await currentBranch({ currents }, ctx))
    // A step must not fail its caller: a repo that nobody knows is kept as it was written.
    const namespace = await namespaceOf({ resolver }, repo, { stores: true }).catch(() => repo)
    return atomically(async (tx) => {
      const [kept] = await observe([{ ...step, repo: namespace, branch }], refs, tx)
      return { observationId: kept?.observationId ?? '', at: kept?.at ?? '' }
    })
  },
})
