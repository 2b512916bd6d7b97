import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** The suite's result for one promise. */
export interface Check {
  readonly id: string
  readonly description: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}
/** Checks by scenario; undefined when the scenario broke off. */
export type Results = ReadonlyMap<string, readonly Check[] | undefined>

/** Time limit of a run: some twenty times its usual duration. */
const LIMIT_MS = 600_000

export class Suite {
  readonly #command: readonly string[]

  constructor(command: readonly string[]) {
    this.#command = command
  }

  /**
   * Lists every scenario for servers that the suite runs for a revision, including those that do not count for its own verdict.
   */
  async scenarios(revision: string): Promise<readonly string[]> {
    const list = await this.#run(['list', '--requirements', revision])
    const section = /^Server scenarios.*\n((?: {2}- .*\n)*)/m.exec(list)?.[1] ?? ''
    const names = [...section.matchAll(/^ {2}- (\S+)$/gm), ...list.matchAll(/^ {4}- (\S+) \[server\]$/gm)].map(([, name = '']) => name)
    if (names.length === 0) throw new Error(`the suite lists no scenario for ${revision}:\n${list}`)
    return names
  }

  /** Runs all of them, or one. The suite's output is stored next to its results. */
  async run(url: string, revision: string, { scenarios, only, folder }: { scenarios: readonly string[]; only?: string; folder: string }) {
    mkdirSync(folder)
    const what = only === undefined ? ['--requirements', revision] : ['--scenario', only, '--spec-version', revision, '--force']
    writeFileSync(join(folder, 'suite.log'), await this.#run(['server', '--url', url, ...what, '-o', folder]))
    return new Map((only === undefined ? scenarios : [only]).map((name) => [name, checksOf(name, folder)])) satisfies Results
  }

  /** Returns the output. The exit code is useless here: failures of scenarios that it does not count leave it at 0. */
  async #run(args: readonly string[]): Promise<string> {
    const [program = '', ...first] = this.#command
    const child = spawn(program, [...first, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' },
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    const exited = once(child, 'exit')
    const [printed, [, signal]] = await Promise.all([text(child.stdout), exited])
    if (signal !== null) throw new Error(`the suite was ended by ${signal}: ${args.join(' ')}`)
    return printed
  }
}

/** The suite names a folder after scenario and time, and writes it at the end of the scenario. */
function checksOf(scenario: string, folder: string): readonly Check[] | undefined {
  const own = readdirSync(folder).find((name) => name.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '') === `server-${scenario}`)
  const file = join(folder, own ?? '', 'checks.json')
  return own !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Check[]) : undefined
}
