import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { type Ran, runCommand } from '@gateway/cli'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import { compiled } from '../../../scripts/typescript/options.mjs'
import { notesPlugin } from './notes-program.ts'

export type Env = Readonly<Record<string, string>>

const endings = new WeakMap<TestContext, (() => Promise<unknown>)[]>()

/** Runs after the test, in reverse order: a service ends before its folder is removed. */
function atEnd(t: TestContext, work: () => Promise<unknown>): void {
  const known = endings.get(t)
  if (known) return void known.push(work)
  const list = [work]
  endings.set(t, list)
  t.after(async () => {
    for (const one of list.toReversed()) await one()
  })
}

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-cli-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A login of the person who runs the tests must not decide which service they call. */
const NO_LOGIN = { HOME: '/nonexistent' }

export const gateway = (argv: readonly string[], env: Env = {}, cwd = tmpdir()): Promise<Ran> =>
  runCommand({ plugins: async () => [notesPlugin], argv, env: { ...NO_LOGIN, ...env }, cwd })

export function spawnProgram(program: string, argv: readonly string[], env: Env, cwd = tmpdir(), uid?: number): ChildProcess {
  const options = { cwd, env: { PATH: process.env.PATH ?? '', ...NO_LOGIN, ...env }, ...(uid !== undefined && { uid }) }
  return spawn(process.execPath, [...(program.endsWith('.ts') ? compiled : []), program, ...argv], options)
}

export async function ended(child: ChildProcess): Promise<Ran> {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout as never), text(child.stderr as never), once(child, 'exit')])
  return { code: code as number, stdout, stderr, json: () => JSON.parse(stdout) }
}

/** Starts a listening service in this process, for tests that do not depend on how it was started. */
export async function serveNotes(t: TestContext, options: Omit<TestGatewayOptions, 'plugins'> = {}): Promise<TestGateway> {
  const service = await startTestGateway({ plugins: [notesPlugin], listen: true, ...options })
  atEnd(t, () => service.stop())
  return service
}

export interface Service {
  readonly url: string
  readonly pid: number
  /** Lines printed at its start. */
  readonly said: readonly string[]
  /** Sends a signal; resolves when the process has ended. */
  signal(
    ...signals: readonly NodeJS.Signals[]
  ): Promise<{ readonly code: number | null; readonly signal: string | null; readonly log: string }>
}

const notesProgram = join(import.meta.dirname, 'notes-program.ts')
/** Arguments that make Node the `gateway` of these tests, for tests that spawn it themselves. */
export const notesArguments = [...compiled, notesProgram]
export const spawnNotes = (argv: readonly string[], env: Env = {}): ChildProcess => spawnProgram(notesProgram, argv, env)

/** Runs `gateway start` as a separate process, on a free port; it is killed after the test if it still runs. */
export async function startService(t: TestContext, env: Env, argv: readonly string[] = [], program = notesProgram): Promise<Service> {
  const child = spawnProgram(program, ['start', ...argv], { GATEWAY_PORT: '0', ...env })
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  atEnd(t, () => {
    child.kill('SIGKILL')
    return exited
  })
  let log = ''
  child.stderr?.on('data', (part: Buffer) => (log += part.toString()))
  const said: string[] = []
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout as never }).on('line', (line) => {
      said.push(line)
      if (argv.includes('--json') || line.startsWith('└─')) resolve()
    })
    exited.then(([code]) => reject(new Error(`it ended with ${code}: ${log}`)), reject)
  })
  return {
    url: /http:\/\/[\w.:]+/.exec(said.join('\n'))?.[0] ?? '',
    pid: child.pid ?? 0,
    said,
    async signal(...signals) {
      for (const [index, signal] of signals.entries()) {
        // The second signal is sent only after the first was noticed: two at once would count as one.
        while (index > 0 && !log.includes('stopping')) await once(child.stderr as never, 'data')
        child.kill(signal)
      }
      const [code, signal] = await exited
      return { code, signal, log }
    },
  }
}

/** Runs a command as a separate process; a start is expected to end without a signal. */
export const runProgram = (argv: readonly string[], env: Env, cwd?: string, uid?: number): Promise<Ran> =>
  ended(spawnProgram(notesProgram, argv, { GATEWAY_PORT: '0', ...env }, cwd, uid))
