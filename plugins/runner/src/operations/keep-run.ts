import { setTimeout as delay } from 'node:timers/promises'
import type { End } from '../rules/end.ts'
import { tryGit } from './git.ts'
import type { RunFacts } from './report.ts'
import { persist } from './service-error.ts'

const MAX_COMMITS = 30
const MAX_LINE = 500
const MAX_SUMMARY = 4_000
/** Time for which a call is repeated while the gateway does not answer. */
const KEEP_MS = 10_000
const LONGEST_MS = 20_000

/**
 * Keeps a run in the memory of its repo, as the session of a host: its summary, or its failure with the class, and its commits. A run
 * that was returned or lost its claim said nothing about the work. A call that fails changes nothing about the end of the task.
 */
export async function keepRun({ order, record, report, kept }: RunFacts, end: End, branch: string | undefined): Promise<void> {
  if (end.kind !== 'delivered' && end.kind !== 'failed') return
  const { client, config, repo } = order
  const { runId, taskId, title, agent, tree } = record
  const log =
    tree && branch && (await tryGit(repo.path, 'log', `--max-count=${MAX_COMMITS}`, '--format=%h %s', `${tree.base}..${branch}`, '--'))
  const commits = (log ?? '').split('\n').filter((line) => line !== '')
  const outcome = end.kind === 'failed' ? `The run failed: [${end.failure}] ${end.error}` : 'The work was delivered.'
  const about = `${title}\n\nTask ${taskId}, by ${agent}. ${outcome}`
  const summary = [about, kept, report.text?.trim()].filter(Boolean).join('\n\n').slice(0, MAX_SUMMARY)
  const session = { sessionId: runId, host: 'runner', repo: repo.name, machine: config.machine, taskId }
  const ended = { ...(branch !== undefined && { gitBranch: branch }), commits: commits.map((line) => line.slice(0, MAX_LINE)), summary }
  const until = Date.now() + KEEP_MS
  const keep = async (): Promise<void> => {
    await persist(() => client.post('/api/sessions/begin', session), until)
    await persist(() => client.post(`/api/sessions/${encodeURIComponent(runId)}/end`, ended), until)
  }
  // The job history has the run all the same, and the next task does not wait for a slow answer.
  const keeping = keep().catch(() => undefined)
  await Promise.race([keeping, delay(LONGEST_MS, undefined, { ref: false })])
}
