import { basename, join, resolve } from 'node:path'
import { CommandError, EXIT } from '@gateway/sdk'
import { expectationOf } from '@gateway/sdk/portable'
import { Value } from 'typebox/value'
import { ADAPTERS, type Agent, LANES, type LaneConfig, type RepoConfig, type RunnerConfig, RunnerFile } from '../schema.ts'

export interface Surroundings {
  readonly folder: string
  readonly hostname: string
  /** Root of the clone that contains `folder`, if there is one. */
  readonly clone: string | undefined
  readonly stateHome: string
}

const DEFAULT_LIMITS = { minutes: 60, setupMinutes: 15, checkMinutes: 30, turns: 200, logLines: 2_000 }
/** Short, so that the task of a machine that vanished is soon free again. The runner extends it at a third. */
const DEFAULT_LEASE_SECONDS = 120
const DEFAULT_RESCUE_DAYS = 14
const MAX_FLEET_SLOTS = 1_000
const DEFAULT_MERGE = { status: 'done', everySeconds: 30, deleteBranches: true } as const

/** Reads the text of runner.json, or `undefined` for a missing file. Throws one sentence that names every faulty member. */
export function readConfig(text: string | undefined, source: string, around: Surroundings): RunnerConfig {
  const file = checked(text === undefined ? {} : parsed(text, source), source)
  const agents: Record<string, Agent> = {
    ...Object.fromEntries(ADAPTERS.filter((name) => name !== 'shell').map((adapter) => [adapter, { adapter }])),
    ...file.agents,
  }
  const repos = reposOf(file, around, source)
  const lanes = lanesOf(file)
  const faults = [
    ...Object.entries({ repos: file.repos, agents: file.agents }).flatMap(([member, entries = {}]) =>
      Object.hasOwn(entries, '') ? [`${member} has an entry without a name`] : [],
    ),
    ...(lanes.length === 0 && !file.lanes?.merge ? ['lanes must have a lane; without the member there is the lane primary'] : []),
    ...lanes.flatMap(({ name, agents: used }) =>
      Object.entries(used).flatMap(([task, agent]) =>
        Object.hasOwn(agents, agent) ? [] : [`lanes.${name}.agents.${task} names the agent ${agent}, which agents does not have`],
      ),
    ),
    ...Object.entries(agents).flatMap(([name, { adapter, command }]) =>
      adapter === 'shell' && command === undefined ? [`agents.${name}.command is missing: the adapter shell runs it`] : [],
    ),
  ]
  if (faults.length > 0) throw faulty(source, faults)
  const { limits } = file
  return {
    machine: file.machine ?? around.hostname.replaceAll(/[\s,/]/g, '-'),
    stateDir: file.stateDir === undefined ? join(around.stateHome, 'gateway', 'runner') : resolve(around.folder, file.stateDir),
    lanes,
    merge: file.lanes?.merge && { ...DEFAULT_MERGE, ...file.lanes.merge },
    agents,
    repos,
    limits: { ...DEFAULT_LIMITS, usd: undefined, ...limits },
    env: file.env ?? [],
    sandbox: file.sandbox ?? [],
    rescueDays: file.rescueDays ?? DEFAULT_RESCUE_DAYS,
    leaseSeconds: file.leaseSeconds ?? DEFAULT_LEASE_SECONDS,
    idleSeconds: file.idleSeconds ?? 0,
    localModels: file.localModels,
  }
}

function parsed(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(EXIT.usage, `${source} is no JSON: ${(error as Error).message}.`)
  }
}

function checked(value: unknown, source: string): RunnerFile {
  if (Value.Check(RunnerFile, value)) return value
  // Each unknown member is told twice: of the object that has it, and of itself as a schema that nothing fits.
  const told = [...Value.Errors(RunnerFile, value)].filter(({ keyword }) => keyword !== 'boolean')
  const faults = told.slice(0, 10).map((error) => {
    const more = (error.params as { additionalProperties?: readonly string[] } | undefined)?.additionalProperties
    const place = error.instancePath.slice(1).replaceAll('/', '.') || 'the file'
    return more ? `${place === 'the file' ? '' : `${place}.`}${more.join(', ')} is not known` : `${place} ${expectationOf(error)}`
  })
  throw faulty(source, faults)
}

const faulty = (source: string, faults: readonly string[]): CommandError => new CommandError(EXIT.usage, `${source}: ${faults.join('; ')}.`)

/** Without repos the clone around runner.json is the one repo, under the name of its folder. */
function reposOf(file: RunnerFile, { folder, clone }: Surroundings, source: string): Record<string, RepoConfig> {
  const { '*': common = {}, ...named } = file.repos ?? {}
  const given = Object.keys(named).length > 0 || clone === undefined ? named : { [basename(clone)]: { path: clone } }
  if (Object.keys(given).length === 0) {
    throw new CommandError(
      EXIT.usage,
      `${source}: repos is missing, and ${folder} is not inside a git clone. Name the repos, or start in a clone.`,
    )
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, own]) => {
      const repo = { ...common, ...own }
      return [
        name,
        {
          name,
          path: resolve(folder, repo.path ?? name),
          base: repo.base,
          remote: repo.remote ?? 'origin',
          setup: repo.setup,
          check: repo.check,
          deliver: repo.deliver ?? 'branch',
          pullRequest: repo.pullRequest,
          finish: repo.finish ?? 'review',
        },
      ]
    }),
  )
}

function lanesOf(file: RunnerFile): readonly LaneConfig[] {
  const given = file.lanes ?? { primary: {} }
  return LANES.flatMap((name) => {
    const lane = given[name]
    if (!lane) return []
    const { slots = 1, agents = { '*': 'claude' }, account, fleetSlots = MAX_FLEET_SLOTS } = lane
    return [{ name, slots, agents, account, fleetSlots }]
  })
}
