import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

export const program = join(import.meta.dirname, '..', '..', '..', 'bin', 'gateway.js')

/** Kinds of tasks, by the script that the agent runs. `$T` is the id of the task, `$F` the folder of the test. */
export const KINDS = {
  succeeds: 'echo "$T" > "$T.js"',
  fails: 'echo half > half.js; exit 3',
  hangs: 'echo $$ >> "$F/hanging"; sleep 600',
  prints: 'yes "$(printf %0999d 0)" | head -c 100000000; echo "$T" > "$T.js"',
  forks: 'for n in 1 2 3; do setsid sleep 601 & sleep 602 & done; echo "$T" > "$T.js"',
  changesNothing: 'true',
  exceedsItsBudget: 'printf "stop=budget\\nerror=Spent 5 USD\\n" > "$GATEWAY_RESULT_FILE"',
} as const
export type Kind = keyof typeof KINDS
const names = Object.keys(KINDS) as Kind[]

/** Repos and runners of one test. */
export class Fleet {
  readonly folder = mkdtempSync(join(tmpdir(), 'runner-fleet-'))
  readonly repos: readonly string[]
  readonly #url: string
  readonly #config: object
  readonly #children = new Set<ChildProcess>()

  constructor(t: TestContext, url: string, { repos, config = {} }: { repos: number; config?: object }) {
    this.#url = url
    this.#config = config
    this.repos = Array.from({ length: repos }, (_, at) => `repo-${at + 1}`)
    for (const name of this.repos) {
      this.git(this.folder, 'init', '--quiet', '--initial-branch', 'main', name)
      this.git(name, '-c', 'user.name=Ada', '-c', 'user.email=ada@gateway.invalid', 'commit', '--quiet', '--allow-empty', '-m', 'first')
    }
    t.after(async () => {
      for (const child of this.#children) await killed(child)
      rmSync(this.folder, { recursive: true, force: true })
    })
  }

  /** Kills a process, which writes into the folder, before the folder is removed. */
  endWith(child: ChildProcess): void {
    this.#children.add(child)
  }

  git(repo: string, ...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: join(this.folder, repo.replace(this.folder, '')), encoding: 'utf8' }).trimEnd()
  }

  /** Starts a runner as a process on a machine of its own. */
  runner(machine: string): ChildProcess {
    const file = join(this.folder, `${machine}.json`)
    const lanes = { primary: { slots: 2, agents: { '*': 'scripted' } } }
    const repos = Object.fromEntries(this.repos.map((name) => [name, {}]))
    writeFileSync(file, JSON.stringify({ machine, stateDir: `state-${machine}`, lanes, repos, ...this.#config }))
    const env = { HOME: this.folder, PATH: process.env.PATH ?? '', GATEWAY_URL: this.#url }
    const log = openSync(join(this.folder, `${machine}.log`), 'a')
    const child = spawn(process.execPath, [program, 'runner', 'start', '--config', file], { env, stdio: ['ignore', log, log] })
    closeSync(log)
    this.endWith(child)
    return child
  }

  /** The last output of the runners of a machine. */
  said(machine: string): string {
    return readFileSync(join(this.folder, `${machine}.log`), 'utf8')
      .split('\n')
      .slice(-20)
      .join('\n')
  }

  /** Description of a task of a kind. It notes that it ran. */
  script(kind: Kind): string {
    return `T=$GATEWAY_TASK_ID; F=${this.folder}; echo "$T" >> "$F/ran"; ${KINDS[kind]}`
  }

  ran(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const id of readFileSync(join(this.folder, 'ran'), 'utf8').trim().split('\n')) counts.set(id, (counts.get(id) ?? 0) + 1)
    return counts
  }

  runs(machine: string): readonly string[] {
    return readdirSync(join(this.folder, `state-${machine}`, 'runs'))
  }

  branches(repo: string, prefix: string): readonly string[] {
    return this.git(repo, 'for-each-ref', '--format=%(refname:short)', `refs/heads/${prefix}`).split('\n').filter(Boolean)
  }

  /** Fails if a process, worktree, record or lock of a run is left. */
  checkNothingLeft(): void {
    for (const machine of readdirSync(this.folder).filter((name) => name.startsWith('state-'))) {
      assert.deepEqual(this.runs(machine.replace('state-', '')), [], machine)
    }
    for (const repo of this.repos) {
      assert.equal(this.git(repo, 'worktree', 'list').split('\n').length, 1, repo)
      const locks = execFileSync('find', [join(this.folder, repo, '.git'), '-name', '*.lock'], { encoding: 'utf8' })
      assert.equal(locks, '', repo)
    }
    assert.deepEqual(processesIn(this.folder), [])
  }
}

export const kindOf = (at: number): Kind => names[at % names.length] as Kind

/** Processes of runs whose standard input or folder lies in this folder. */
export function processesIn(folder: string): readonly string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const variables = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0')
      const isRun = variables.some((one) => one.startsWith('GATEWAY_RUN_ID=')) && variables.includes(`HOME=${folder}`)
      return isRun && !/^State:\s+Z/m.test(readFileSync(`/proc/${name}/status`, 'latin1')) ? [name] : []
    } catch {
      return []
    }
  })
}

export async function until<T>(
  what: string,
  seconds: number,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await delay(200)) {
    const found = await look()
    if (found) return found
  }
  throw new Error(`timed out: ${what}`)
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Lets a runner end after its runs. */
export async function drained(runner: ChildProcess): Promise<void> {
  if (runner.exitCode !== null || runner.signalCode !== null) return
  runner.kill('SIGTERM')
  await once(runner, 'exit')
}
