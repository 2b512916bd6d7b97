import { DAY_SECONDS, type ServiceClient } from '@gateway/sdk'
import type { RepoConfig, RunnerConfig } from '../schema.ts'
import { git, inTurn, tryGit } from './git.ts'

/** A branch in a clone of this machine that keeps work which was not delivered. */
export interface RescueBranch {
  readonly repo: string
  readonly branch: string
  readonly taskId: string
  /** Time at which it was kept, in seconds since 1970. Of a branch without one, that of its last commit. */
  readonly keptAt: number
}

/** Branches of each repo that are listed, and looked at in one sweep. */
const MAX_BRANCHES = 1_000
/** Entry in the configuration of the clone, in the section of the branch. Git removes it with the branch. */
const KEPT_AT = 'gatewayKeptAt'
/** The name of a rescue branch: the task, and the run or the commit. */
const NAME = /^rescue\/(?:task-(?=task-))?(.+)-[0-9a-f]{8}$/

/** Keeps a commit as a branch, with the time: the commit may be much older. */
export async function keepBranch(path: string, branch: string, commit: string): Promise<void> {
  await git(path, 'update-ref', `refs/heads/${branch}`, commit)
  await tryGit(path, 'config', `branch.${branch}.${KEPT_AT}`, String(Math.floor(Date.now() / 1_000)))
}

export async function rescueBranches({ repos }: Pick<RunnerConfig, 'repos'>): Promise<readonly RescueBranch[]> {
  return (await Promise.all(Object.values(repos).map(branchesIn))).flat()
}

/** Rescue branches of a clone with the oldest commits, in the order in which they were kept. */
async function branchesIn({ name, path }: RepoConfig): Promise<readonly RescueBranch[]> {
  const format = '--format=%(refname:lstrip=2) %(committerdate:unix)'
  const listed = await tryGit(path, 'for-each-ref', format, '--sort=committerdate', `--count=${MAX_BRANCHES}`, 'refs/heads/rescue/')
  const kept = await keptTimes(path)
  const branches = (listed ?? '').split('\n').flatMap((line) => {
    const [branch = '', committedAt] = line.split(' ')
    const taskId = NAME.exec(branch)?.[1]
    return taskId === undefined ? [] : [{ repo: name, branch, taskId, keptAt: kept.get(branch) ?? Number(committedAt) }]
  })
  return branches.sort((a, b) => a.keptAt - b.keptAt)
}

async function keptTimes(path: string): Promise<ReadonlyMap<string, number>> {
  const listed = await tryGit(path, 'config', '--local', '--get-regexp', `^branch\\.rescue/.*\\.${KEPT_AT.toLowerCase()}$`)
  const entries = [...(listed ?? '').matchAll(/^branch\.(.+)\.\w+ (\d+)$/gm)]
  return new Map(entries.map(([, branch = '', keptAt]) => [branch, Number(keptAt)]))
}

/** Removes the branches whose task is done and whose work was kept for `rescueDays`. Git keeps one that is checked out. */
export async function dropRescues(client: ServiceClient, config: RunnerConfig, now: Date): Promise<readonly RescueBranch[]> {
  const oldest = now.getTime() / 1_000 - config.rescueDays * DAY_SECONDS
  const dropped: RescueBranch[] = []
  for (const rescued of await rescueBranches(config)) {
    if (rescued.keptAt >= oldest || !(await isDone(client, rescued))) continue
    const { path } = config.repos[rescued.repo] as RepoConfig
    const removed = await inTurn(path, () => tryGit(path, 'branch', '--quiet', '-D', rescued.branch))
    if (removed !== undefined) dropped.push(rescued)
  }
  return dropped
}

async function isDone(client: ServiceClient, { taskId }: RescueBranch): Promise<boolean> {
  const read = (await client.get(`/api/tasks/${encodeURIComponent(taskId)}`).catch(() => undefined)) as
    | { task: { status: string } }
    | undefined
  return read?.task.status === 'done'
}
