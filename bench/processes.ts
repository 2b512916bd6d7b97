import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compiled, fromSources } from '../scripts/typescript/options.mjs'
import { freePort } from '../test/support/ports.ts'
import type { Figures, Job } from './load.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export interface Server {
  readonly port: number
  /** Milliseconds from spawning the process to the first answer. */
  readonly startMs: number
  /** Resident memory, MiB. */
  memory(): number
  /** CPU time of its main thread until now, in milliseconds. */
  cpu(): number
  signal(name: NodeJS.Signals): void
  stop(): Promise<void>
}

/** Secrets of the measured service: it serves this machine for a minute. */
export const secrets = {
  admin: 'bench-admin-token',
  session: 'bench-session-secret-of-thirty-two-characters',
  liteLlm: 'sk-bench-liteLLM-4f1c9a7e2b8d6053',
} as const

/** Starts the built service on a data folder; with the tool that answers from memory when `peek`. */
export function startGateway(dataDir: string, { peek = false, settings = {} as Readonly<Record<string, string>> } = {}): Promise<Server> {
  return startBuilt(dataDir, peek ? [...compiled, here('./servers/gateway.ts')] : [here('../bin/gateway.js'), 'start'], settings)
}

export const startWith = (server: 'standard' | 'pageless', dataDir: string): Promise<Server> =>
  startBuilt(dataDir, [...compiled, here(`./servers/${server}.ts`)])

/** Starts the built service with tools of tenants, whose handlers listen on this machine. */
export function startTenantTools(dataDir: string, quiet: number, noisy: number): Promise<Server> {
  return startBuilt(dataDir, [...compiled, here('./servers/tenant-tools.ts'), String(quiet), String(noisy)], { PLUGIN_TOOLS_ENABLED: '1' })
}

export interface Profiled extends Server {
  record(): void
  /** Ends the profile and returns its file. */
  recorded(): Promise<string>
}

/** Starts the gateway with the tool that answers from memory, or the bare route, with a profiler inside. */
export async function startProfiled(name: 'bare' | 'gateway', dataDir: string): Promise<Profiled> {
  const file = join(dataDir, 'main.cpuprofile')
  const profiler = ['--import', pathToFileURL(here('./servers/profiled.mjs')).href]
  const server =
    name === 'gateway'
      ? await startBuilt(dataDir, [...compiled, ...profiler, here('./servers/gateway.ts')], { PROFILE: file })
      : await startBare(profiler, { PROFILE: file })
  return {
    ...server,
    record: () => server.signal('SIGUSR2'),
    async recorded() {
      server.signal('SIGUSR2')
      while (!isWhole(file)) await new Promise((resolve) => setTimeout(resolve, 50))
      return file
    },
  }
}

function isWhole(file: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').endsWith('}')
}

async function startBare(flags: readonly string[], env: Readonly<Record<string, string>>): Promise<Server> {
  const port = await freePort()
  return ready(port, '/', () =>
    spawn(process.execPath, [...fromSources, ...flags, here('./servers/bare.ts'), String(port)], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
}

async function startBuilt(dataDir: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Server> {
  const port = await freePort()
  const env = {
    ...more,
    PATH: process.env.PATH ?? '',
    HOME: dataDir,
    GATEWAY_PORT: String(port),
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_LOG_LEVEL: 'warn',
    ADMIN_API_TOKEN: secrets.admin,
    GATEWAY_JWT_SECRET: secrets.session,
  }
  return ready(port, '/health', () => spawn(process.execPath, args, { cwd: dataDir, env, stdio: ['ignore', 'ignore', 'inherit'] }))
}

export async function startServer(name: 'bare' | 'sdk' | 'handler' | 'forward' | 'model', ...args: readonly string[]): Promise<Server> {
  const port = await freePort()
  return ready(port, '/', () =>
    spawn(process.execPath, [...fromSources, here(`./servers/${name}.ts`), String(port), ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
}

/** Starts LiteLLM's proxy, which asks the same provider. */
export async function startLiteLlm(bin: string, config: string): Promise<Server> {
  const port = await freePort()
  const options = ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1', '--telemetry', 'False']
  // Without these it asks a server on the internet for prices, and logs each call.
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    LITELLM_LOG: 'ERROR',
    LITELLM_MASTER_KEY: secrets.liteLlm,
  }
  return ready(port, '/health/liveliness', () => spawn(join(bin, 'litellm'), options, { env, stdio: ['ignore', 'ignore', 'inherit'] }))
}

/** CPU time of the thread that runs the code. The scheduler reports nanoseconds, /proc/<pid>/stat only hundredths of a second. */
const cpuMs = (pid: number): number => Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'), 10) / 1e6

/** A Python server that is started beside other work needs a minute or two. */
const START_LIMIT_MS = 300_000

async function ready(port: number, path: string, start: () => ChildProcess): Promise<Server> {
  const began = performance.now()
  const child = start()
  const exited = once(child, 'exit')
  let stopping = false
  child.on('exit', (code, signal) => {
    if (!stopping) console.error(`${child.spawnargs.join(' ')} ended by itself: ${signal ?? `code ${code}`}`)
  })
  while (!(await answers(`http://127.0.0.1:${port}${path}`))) {
    if (performance.now() - began > START_LIMIT_MS) {
      child.kill('SIGKILL')
      throw new Error(`the server to measure did not answer within ${START_LIMIT_MS / 60_000} minutes`)
    }
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the server to measure did not start')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return {
    port,
    startMs: performance.now() - began,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    cpu: () => cpuMs(child.pid as number),
    signal: (name) => void child.kill(name),
    async stop() {
      stopping = true
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status < 500
  } catch {
    return false
  }
}

/** Runs a job of the load generator; returns the figures of its named steps. */
export async function load(job: Job): Promise<Record<string, Figures>> {
  return JSON.parse(await run('./load.ts', [], JSON.stringify(job)))
}

export async function run(file: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [...fromSources, here(file), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  child.stdin.end(input)
  const output = await text(child.stdout)
  const [code, signal] = await exited
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${signal ?? `code ${code}`}`)
  return output
}
