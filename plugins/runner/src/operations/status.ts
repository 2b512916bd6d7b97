import type { CommandOutput, ServiceClient } from '@gateway/sdk'
import type { RunnerConfig } from '../schema.ts'
import { explained } from './check-key.ts'
import { pauseReason } from './pauses.ts'
import { readRecords } from './record.ts'
import { rescueBranches } from './rescue-branches.ts'
import { isRunning, listRunners } from './runners.ts'
import { refusalCode } from './service-error.ts'
import { readWaiting, type Waiting } from './waiting.ts'

interface Machine {
  readonly machine: string
  readonly down: boolean
  readonly ageMinutes: number
  readonly capabilities?: readonly string[]
}

/** The oldest branches with kept work stand in the table; the JSON has all. */
const MAX_RESCUED = 20

/** A branch of an accepted task that a lane merge of the fleet could not merge. */
interface Unmerged {
  readonly taskId: string
  readonly branch: string
  readonly reason: string
  readonly since: string
}

export async function showStatus(client: ServiceClient, config: RunnerConfig, output: CommandOutput, asJson: boolean): Promise<void> {
  const { stateDir } = config
  const [runners, records, waiting, unmerged, rescued, paused, fleet] = await Promise.all([
    listRunners(stateDir),
    readRecords(stateDir),
    stillWaiting(client, stateDir),
    (client.get('/api/runners/unmerged') as Promise<{ branches: readonly Unmerged[] }>).then(
      ({ branches }) => branches,
      () => [],
    ),
    rescueBranches(config),
    pauseReason(client).catch(() => undefined),
    (client.get('/api/runners') as Promise<{ machines: readonly Machine[] }>).catch(
      (error: unknown) => explained(error, client.url) as Error,
    ),
  ])
  const runs = records.map(({ runId, taskId, title, repo, lane, agent, phase, startedAt, runner }) => {
    const state = isRunning(runner) ? phase : 'dead'
    return { runId, taskId, title, repo, lane, agent, state, startedAt }
  })
  if (asJson && !(fleet instanceof Error))
    return output.json({ runners, runs, waiting, unmerged, rescued, ...(paused !== undefined && { paused }), machines: fleet.machines })
  if (asJson) throw fleet
  if (runners.length === 0) output.line('No runner works on this machine. `gateway runner start` starts one.')
  else
    output.table(
      runners.map(({ pid, lanes, startedAt, url }) => [String(pid), lanes.join(', '), startedAt, url]),
      ['process', 'lanes', 'since', 'gateway'],
    )
  if (paused !== undefined) output.line(`No task is taken: ${paused}`)
  if (runs.length > 0) {
    output.line()
    const rows = runs.map(({ taskId, lane, agent, state, startedAt, title }) => [
      taskId,
      lane,
      agent,
      { text: state, tone: state === 'dead' ? 'bad' : 'good' } as const,
      startedAt,
      title,
    ])
    output.table(rows, ['task', 'lane', 'agent', 'state', 'since', 'title'])
  }
  if (waiting.length > 0) {
    output.line()
    output.table(
      waiting.map(({ taskId, since, reason }) => [taskId, since, reason]),
      ['task', 'waits since', 'for'],
    )
  }
  if (unmerged.length > 0) {
    output.line()
    output.table(
      unmerged.map(({ branch, since, reason }) => [branch, since, reason.split('\n')[0] as string]),
      ['accepted, not merged', 'since', 'reason'],
    )
  }
  if (rescued.length > 0) {
    output.line()
    output.table(
      rescued.slice(0, MAX_RESCUED).map(({ branch, repo, keptAt }) => [branch, repo, new Date(keptAt * 1_000).toISOString()]),
      [`kept work (${rescued.length})`, 'repo', 'since'],
    )
  }
  // The runs of this machine are shown without the gateway too.
  if (fleet instanceof Error) throw fleet
  if (fleet.machines.length > 0) {
    output.line()
    const rows = fleet.machines.map(({ machine, down, ageMinutes, capabilities = [] }) => [
      machine,
      { text: down ? 'down' : 'alive', tone: down ? 'bad' : 'good' } as const,
      `${Math.round(ageMinutes)} min ago`,
      capabilities.join(', '),
    ])
    output.table(rows, ['machine', 'state', 'heard', 'serves'])
  }
}

/** Tasks that wait for a place of this machine. One that another machine has taken waits no longer; without an answer all are listed. */
async function stillWaiting(client: ServiceClient, stateDir: string): Promise<readonly Waiting[]> {
  const noted = await readWaiting(stateDir)
  const are = await Promise.all(
    noted.map(({ taskId }) =>
      client.get(`/api/tasks/${encodeURIComponent(taskId)}`).then(
        (read) => (read as { task: { status: string } }).task.status === 'pending',
        (error) => refusalCode(error) !== 'NOT_FOUND',
      ),
    ),
  )
  return noted.filter((_, at) => are[at])
}
