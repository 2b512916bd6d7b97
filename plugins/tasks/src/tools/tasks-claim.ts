import { closed, defined, defineTool, reportedName, Type, waitSeconds } from '@gateway/sdk'
import { repoNames } from '../api.ts'
import { type ClaimResult, claimTask, queueUses } from '../operations/claim.ts'
import { repoName } from '../operations/repo-name.ts'
import { shownTask } from '../rules/show.ts'
import { assignedAgents, claimant, leaseSeconds, repo, ShownTask, taskId, unassigned } from '../schema.ts'

export const DEFAULT_LEASE_SECONDS = 3_600

export const claimInput = Type.Object(
  {
    claimedBy: Type.Optional(claimant),
    taskId: Type.Optional(taskId),
    repo: Type.Optional(repo),
    ignoreRepos: Type.Optional(Type.Array(repo, { maxItems: 1_000, description: 'Repos to skip.' })),
    assignedAgents: Type.Optional(assignedAgents),
    unassigned: Type.Optional(unassigned),
    waitSeconds: Type.Optional(waitSeconds),
    leaseSeconds: Type.Optional(Type.Integer({ ...leaseSeconds, default: DEFAULT_LEASE_SECONDS, description: 'Length of the lease.' })),
    localModels: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 1_000,
        description: 'Local models you have, with or without `local/`; tasks pinned to another one are skipped. Omit to skip none.',
      }),
    ),
  },
  closed,
)
export const claimOutput = Type.Object(
  {
    claimed: Type.Boolean(),
    task: Type.Optional(ShownTask),
    reason: Type.Optional(Type.String({ description: 'Why nothing was claimed, when it is not that nothing is claimable.' })),
  },
  closed,
)

export const shownClaim = (result: ClaimResult) => (result.claimed ? { claimed: true, task: shownTask(result.task) } : result)

export const tasksClaim = defineTool({
  name: 'tasks_claim',
  description:
    'Claim the highest-priority claimable task, or that of taskId. Finish within the lease, or the task goes back to the queue; pass task.claimId to tasks_update and tasks_fail. Returns {claimed, task?, reason?}.',
  capability: 'work',
  effect: 'write',
  listing: 'core',
  rest: 'POST /api/tasks/claim',
  input: claimInput,
  output: claimOutput,
  uses: { ...queueUses, names: repoNames },
  async handle({ repo, leaseSeconds = DEFAULT_LEASE_SECONDS, ...args }, { names, ...refs }, ctx) {
    const ignoreRepos = args.ignoreRepos && (await Promise.all(args.ignoreRepos.map((name) => repoName(names, name))))
    const claimedBy = reportedName('claimedBy', args.claimedBy, ctx.principal)
    return shownClaim(
      await claimTask(refs, { ...args, claimedBy, ...defined({ repo: await repoName(names, repo), ignoreRepos }), leaseSeconds }, ctx),
    )
  },
})
