import { closed, defined, defineRoute, nonBlankText, reportedName, Type } from '@gateway/sdk'
import { repoNames } from '../api.ts'
import { claimTask, queueUses } from '../operations/claim.ts'
import { exceptReserved, reservedUses } from '../operations/for-runners.ts'
import { repoName } from '../operations/repo-name.ts'
import { assignedAgent } from '../schema.ts'
import { claimInput, claimOutput, DEFAULT_LEASE_SECONDS, shownClaim } from '../tools/tasks-claim.ts'

export const claimForRunner = defineRoute({
  name: 'tasks.claim-for-runner',
  description:
    'Claim a task as by tasks_claim, without tasks that the gateway does itself, except those of agents that the runner names. Returns {claimed, task?, reason?}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/tasks/claim-for-runner',
  input: Type.Object(
    {
      ...claimInput.properties,
      // A runner skips repos as they are stored, in whatever form an earlier version kept them.
      ignoreRepos: Type.Optional(Type.Array(nonBlankText(200), { maxItems: 1_000, description: 'Repos to skip.' })),
      serves: Type.Optional(Type.Array(assignedAgent, { maxItems: 1_000, description: 'Agents that the runner has, wherever they run.' })),
    },
    closed,
  ),
  output: claimOutput,
  uses: { ...queueUses, names: repoNames, ...reservedUses },
  async handle({ repo, serves = [], leaseSeconds = DEFAULT_LEASE_SECONDS, ...args }, { names, reserved, ...refs }, ctx) {
    const claimedBy = reportedName('claimedBy', args.claimedBy, ctx.principal)
    // A runner sends back the repo of a task as it is stored, which may be a folder that an earlier version kept.
    const wanted = { ...args, ...defined({ repo: await repoName(names, repo) }), ...(await exceptReserved(reserved, serves)) }
    return shownClaim(await claimTask(refs, { ...wanted, claimedBy, leaseSeconds }, ctx))
  },
})
