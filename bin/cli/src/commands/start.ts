import { constants } from 'node:os'
import type { Served } from '@gateway/http'
import type { BootedGateway, Gateway } from '@gateway/kernel'
import { gatewayDoctor, type Plugin } from '@gateway/sdk'
import { CommandError, EXIT, type ExitCode, jsonOption } from '@gateway/sdk/command'
import type { Settings } from '@gateway/settings'
import type { Logger } from 'pino'
import { defineCommand, type Env, type Invocation } from '../command.ts'
import { doctorWithoutService } from '../doctor/without-service.ts'
import { limitHeapGrowth } from '../heap-growth.ts'
import { mintLocalToken } from '../local-token-file.ts'
import { configFileOf } from '../named-folder.ts'
import type { Output } from '../output.ts'
import { pluginRows } from '../plugin-rows.ts'
import { processFaults } from '../process-faults.ts'
import { announceRunning } from '../running.ts'
import { stopSignals } from '../stop-signals.ts'
import { systemErrorAdvice } from '../system-error-advice.ts'
import { trustLine } from '../trust-line.ts'
import { unknownVariables } from '../unknown-variables.ts'

export default defineCommand({
  summary: 'Start the service and run it until SIGINT or SIGTERM.',
  usage: '',
  details: [
    'Prints its address and the outcome of each plugin’s start; its log goes to standard error, one JSON object per line.',
    'The first signal stops it: running calls end, within GATEWAY_STOP_TIMEOUT_MS. A further one, a second later or more, ends it at once, as the first one does before it serves.',
    'An exception that no code caught stops it in the same way, and the exit code is 1.',
  ].join('\n'),
  options: jsonOption,
  async run({ values, env, cwd, output, plugins }) {
    limitHeapGrowth()
    const signals = stopSignals()
    const json = values.json === true
    const starting = startService({ env, cwd, plugins, minted: (token, path) => printToken(token, path, json, output) })
    const started = await Promise.race([starting, signals.first]).catch(endSoon)
    // A start has promised nothing to anybody yet, and one that hangs would not notice the signal.
    if (typeof started === 'string') process.exit(128 + constants.signals[started])
    const { gateway, served, faults } = started
    const announcement = announceRunning(gateway.settings.dataDir, served.url, gateway.settings)
    announce(gateway, served, json, output)
    const reason = await Promise.race([signals.first, faults.first])
    gateway.log.info({ reason }, 'stopping')
    announcement.forget()
    return stop(gateway, served, reason === 'uncaughtException' ? EXIT.failure : EXIT.ok)
  },
})

/** A plugin that failed may have left a timer or a connection: they do not keep the process. */
function endSoon(error: unknown): never {
  setTimeout(() => process.exit(), LEFTOVERS_MS).unref()
  throw error
}

interface Start extends Pick<Invocation, 'env' | 'cwd' | 'plugins'> {
  readonly minted: (token: string, path: string) => void
}

async function startService({
  env: given,
  cwd,
  plugins,
  minted,
}: Start): Promise<{ gateway: BootedGateway; served: Served; faults: ReturnType<typeof processFaults> }> {
  // In parallel: reading and compiling these modules is most of a start.
  const [{ boot }, { serve }, { loadSettings }, { pino }, all] = await Promise.all([
    import('@gateway/defaults'),
    import('@gateway/http'),
    import('@gateway/settings'),
    import('pino'),
    plugins(),
  ])
  const { env, minted: made } = mintLocalToken(given)
  // Reported at once: a start after a failed one would not report it again.
  if (made) minted(made.token, made.path)
  const settings = loadSettings({ env, cwd })
  const log: Logger = pino({ level: settings.logLevel }, pino.destination({ fd: 2, sync: true }))
  const services = [[gatewayDoctor.id, doctorWithoutService(env, cwd)]] as const
  const gateway = await boot({ plugins: all, settings, log, env, services }).catch(expected)
  for (const sentence of unread(env, settings, cwd, all)) log.warn(sentence)
  try {
    const served = await serve(gateway, { starting: true })
    gateway.jobs.start()
    served.started()
    return { gateway, served, faults: processFaults(log) }
  } catch (error) {
    await gateway.stop()
    return expected(error)
  }
}

/** Returns variables that nobody reads. Variables read by plugins from elsewhere are not known here. */
function unread(env: Env, settings: Settings, cwd: string, builtIn: readonly Plugin[]): readonly string[] {
  const own = new Set(builtIn.map(({ id }) => id))
  if (Object.keys(settings.plugins).some((name) => !own.has(name))) return []
  return unknownVariables(env, builtIn, configFileOf(settings, cwd))
}

/** The message says why a start fails; the stack would only bury it. */
function expected(error: unknown): never {
  if (Array.isArray((error as { faults?: unknown }).faults)) throw error
  throw new CommandError(EXIT.failure, systemErrorAdvice(error) ?? (error as Error).message)
}

function printToken(localToken: string, file: string, json: boolean, output: Output): void {
  if (json) output.line(JSON.stringify({ localToken, file }))
  else output.line(`the local token, made now, kept in ${file} and not shown again: ${localToken}`)
}

function announce(gateway: Gateway, { url }: Served, json: boolean, output: Output): void {
  const { version, settings, report } = gateway
  if (json) return output.line(JSON.stringify({ url, version, pid: process.pid, dataDir: settings.dataDir, plugins: report }))
  output.line(
    `gateway ${version} serves ${url} (process ${process.pid}, data in ${settings.dataDir}), ready in ${Math.round(performance.now())} ms`,
  )
  output.line(trustLine(settings))
  const rows = pluginRows(report)
  output.table(rows.map(([id, ...rest], index) => [`${index === rows.length - 1 ? '└─' : '├─'} ${String(id)}`, ...rest]))
}

/** Steps of a stop: tasks that go on without their callers, running requests, jobs and calls, listeners, observers, the store. */
const STEPS = 5
/** Time that timers and connections have which somebody forgot. */
const LEFTOVERS_MS = 200
/** Wait for work that has no time left to be seen to have ended. */
const A_MOMENT_MS = 250

/**
 * Running requests, jobs and calls share one time limit, for all callers, and end in parallel. Then each plugin has its own
 * limit.
 */
async function stop(gateway: BootedGateway, served: Served, exitCode: ExitCode): Promise<ExitCode> {
  const { drainMs, stopTimeoutMs } = gateway.settings
  // Each step and each plugin has its own limit; this one is for work that ignores it.
  const limit = setTimeout(
    () => {
      gateway.log.fatal('the gateway did not stop in time and is ended')
      process.exit(EXIT.failure)
    },
    drainMs + (STEPS + gateway.report.length) * stopTimeoutMs,
  )
  const begun = performance.now()
  // The stop asks again and reports the error.
  gateway.jobs.stop().catch(() => {})
  await served.close()
  const left = drainMs + stopTimeoutMs - (performance.now() - begun)
  await gateway.stop(Math.max(A_MOMENT_MS, left))
  clearTimeout(limit)
  gateway.log.info('stopped')
  // A timer of agenda outlives the run it watched, and a plugin may forget one: they have a moment, and do not keep the process.
  setTimeout(() => process.exit(exitCode), LEFTOVERS_MS).unref()
  return exitCode
}
