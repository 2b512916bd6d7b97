import { BadRequest, type Infer } from '@gateway/sdk'
import type { runs } from '../collections.ts'
import { ACTION_STATUSES, type FleetRun, progressFields, type StartingRepo } from '../schema.ts'

export type StoredRun = Infer<(typeof runs)['schema']>
type StoredRepo = StoredRun['repos'][number]
export type Progress = Omit<StoredRepo, 'repo' | 'updatedAt' | 'more' | 'actionStatus'> & Partial<Pick<StoredRepo, 'actionStatus'>>

export const MAX_REPOS = 200
/** Limit per run, so that a list of runs stays readable. */
const MAX_BYTES = 256 * 1_024

const known = new Set(['repo', ...Object.keys(progressFields)])

export function startingRepos(repos: readonly StartingRepo[], at: string): StoredRepo[] {
  const seen = new Set<string>()
  return repos.map((entry, i) => {
    if (seen.has(entry.repo))
      throw BadRequest({
        field: `repos[${i}].repo`,
        message: `\`repos\` must name each repo once; ${JSON.stringify(entry.repo)} is there twice.`,
      })
    seen.add(entry.repo)
    const more = Object.entries(entry).filter(([name]) => !known.has(name))
    const said = Object.fromEntries(Object.entries(entry).filter(([name]) => known.has(name))) as Progress & { repo: string }
    return { actionStatus: 'pending', ...said, updatedAt: at, ...(more.length > 0 && { more: JSON.stringify(Object.fromEntries(more)) }) }
  })
}

/** Returns the repos after a report of one of them; a repo unknown to the run joins it. */
export function progressed(repos: readonly StoredRepo[], repo: string, progress: Progress, at: string): StoredRepo[] {
  const before = repos.find((entry) => entry.repo === repo)
  if (!before && repos.length >= MAX_REPOS) {
    throw BadRequest({
      field: 'repo',
      message: `\`repo\` must be one of the run’s repos, of which there are at most ${MAX_REPOS}; got ${JSON.stringify(repo)}.`,
    })
  }
  const after: StoredRepo = { actionStatus: 'pending', ...before, ...progress, repo, updatedAt: at }
  return before ? repos.map((entry) => (entry === before ? after : entry)) : [...repos, after]
}

export function checkSize(run: Pick<StoredRun, 'repos'>, field: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(run.repos))
  if (bytes > MAX_BYTES) {
    throw BadRequest({
      field,
      message: `\`${field}\` makes the run’s data on its repos ${bytes} bytes long as JSON; at most ${MAX_BYTES} are kept.`,
    })
  }
}

export function shownRun({ repos, ...run }: StoredRun): Infer<typeof FleetRun> {
  return { ...run, repos: repos.map(({ more, ...entry }) => ({ ...(more !== undefined && (JSON.parse(more) as object)), ...entry })) }
}

export function progressOf({ repos }: StoredRun): Record<(typeof ACTION_STATUSES)[number], number> {
  const count = (status: string): number => repos.filter(({ actionStatus }) => actionStatus === status).length
  return Object.fromEntries(ACTION_STATUSES.map((status) => [status, count(status)])) as ReturnType<typeof progressOf>
}
