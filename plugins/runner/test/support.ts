import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { runCommand } from '@gateway/cli'
import { CommandError, EXIT, type ServiceClient } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import runner from '../src/index.ts'

export interface Bench {
  readonly gateway: TestGateway
  readonly folder: string
  readonly repo: string
  /** Name of the repo at the gateway. */
  readonly name: string
  readonly config: string
  readonly env: Record<string, string>
  git(...args: string[]): string
  /** Creates a task whose description the scripted agent runs. */
  task(script: string, args?: object): Promise<string>
  get(taskId: string): ReturnType<TestGateway['call']>
  /** Creates or removes a file that a script waits for. */
  touch(file: string, gone?: boolean): void
  once(): ReturnType<typeof runCommand>
  configure(more: object): void
}

type MakeBench = (t: TestContext, config?: object, repoConfig?: object) => Promise<Bench>

/** Makes benches for the tests of a file: they share a gateway with these settings, and each has a repo of its own. */
export function benches(settings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}): MakeBench {
  let shared: Promise<TestGateway> | undefined
  let repos = 0
  after(async () => (await shared)?.stop())
  return async (t, config = {}, repoConfig = {}) => {
    shared ??= startTestGateway({ plugins: standardPlugins, config: settings, listen: true })
    return makeBench(t, await shared, `web-${++repos}`, config, repoConfig)
  }
}

async function makeBench(t: TestContext, gateway: TestGateway, name: string, config: object, repoConfig: object): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'runner-test-'))
  const repo = join(folder, name)
  const run = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trimEnd()
  run(folder, 'init', '--quiet', '--initial-branch', 'main', repo)
  writeFileSync(join(repo, 'a.txt'), 'one\n')
  run(repo, 'add', '.')
  run(repo, '-c', 'user.name=Ada', '-c', 'user.email=ada@gateway.invalid', 'commit', '--quiet', '-m', 'first')
  const file = join(folder, 'runner.json')
  const lanes = { primary: { agents: { '*': 'scripted' } } }
  const configure = (more: object): void =>
    writeFileSync(file, JSON.stringify({ machine: 'm1', stateDir: 'state', lanes, repos: { [name]: repoConfig }, ...config, ...more }))
  configure({})
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const env = { HOME: folder, PATH: process.env.PATH ?? '', GATEWAY_URL: gateway.url }
  return {
    gateway,
    folder,
    repo,
    name,
    config: file,
    env,
    git: (...args) => run(repo, ...args),
    task: async (script, args = {}) =>
      (await gateway.call('tasks_create', { repo: name, title: 'A task', description: script, ...args })).task.taskId,
    get: async (taskId) => (await gateway.call('tasks.get', { taskId })).task,
    touch: (file, gone = false) => (gone ? rmSync(join(folder, file), { force: true }) : writeFileSync(join(folder, file), '')),
    configure,
    once: () => runCommand({ plugins: async () => [runner], argv: ['runner', 'once', '--config', file], env }),
  }
}

/** A client of the gateway that tells what it reads. */
export function clientOf(b: Bench, asked: (url: string) => unknown = () => undefined): ServiceClient {
  const refused = (record: { code: string }): Error => new CommandError(EXIT.refused, record.code, record)
  const send = async (method: 'DELETE' | 'GET' | 'POST', url: string, body?: object) => {
    const answer = await b.gateway.inject({ method, url, ...(body && { body }) })
    if (answer.status !== 200) throw refused(answer.json())
    return answer.json()
  }
  const client = {
    url: b.gateway.url,
    within: () => client,
    call: (tool: string, args: object) =>
      b.gateway.call(tool, args).catch((error) => {
        throw refused(error)
      }),
    get: async (url: string) => {
      await asked(url)
      return send('GET', url)
    },
    post: (url: string, body: object) => send('POST', url, body),
    delete: (url: string) => send('DELETE', url),
  } as unknown as ServiceClient
  return client
}

/** False also for a process that ended and that nobody has waited for. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
  } catch {
    return false
  }
}
