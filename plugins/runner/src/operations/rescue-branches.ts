import type { ServiceClient } from '@gateway/sdk'
import type { RepoConfig, RunnerConfig } from '../schema.ts'
import { inTurn, tryGit } from './git.ts'

/** A branch in a clone of this machine that keeps work which was not delivered. */
export interface RescueBranch {
  readonly repo: string
  readonly branch: string
  readonly taskId: string
  /** Time of its last commit, in seconds since 1970. */
  readonly committedAt: number
}

/** Branches of each repo that are listed, and looked at in one sweep. */
const MAX_BRANCHES = 1_000
const DAY_SECONDS = 86_400
/** The name of a rescue branch: the task, and the run or the commit. */
const NAME = /^rescue\/(?:task-(?=task-))?(.+)-[0-9a-f]{8}$/

export async function rescueBranches({ repos }: Pick<RunnerConfig, 'repos'>): Promise<readonly RescueBranch[]> {
  return (await Promise.all(Object.values(repos).map(branchesIn))).flat()
}

/** The oldest ones of a clone. */
async function branchesIn({ name, path }: RepoConfig): Promise<readonly RescueBranch[]> {
  const format = '--format=%(refname:short) %(committerdate:unix)'
  const listed = await tryGit(path, 'for-each-ref', format, '--sort=committerdate', `--count=${MAX_BRANCHES}`, 'refs/heads/rescue/')
  return (listed ?? '').split('\n').flatMap((line) => {
    const [branch = '', committedAt] = line.split(' ')
    const taskId = NAME.exec(branch)?.[1]
    return taskId === undefined ? [] : [{ repo: name, branch, taskId, committedAt: Number(committedAt) }]
  })
}

/** Removes the branches whose task is done and whose work is older than `rescueDays`. Git keeps one that is checked out. */
export async function dropRescues(client: ServiceClient, config: RunnerConfig, now: Date): Promise<readonly RescueBranch[]> {
  const oldest = now.getTime() / 1_000 - config.rescueDays * DAY_SECONDS
  const dropped: RescueBranch[] = []
  for (const rescued of await rescueBranches(config)) {
    if (rescued.committedAt >= oldest || !(await isDone(client, rescued))) continue
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
