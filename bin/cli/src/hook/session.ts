import { hostname } from 'node:os'
import { defined } from '@gateway/sdk'
import { EXIT, isCommandError, type ServiceClient } from '@gateway/sdk/command'
import type { Env } from '../command.ts'
import { type Clone, cloneAt, headAt, workSince } from './git.ts'
import { hostName, hostProcess } from './host.ts'
import type { HookInput } from './input.ts'
import { endGone, handOver, sendAll, sendBeginning, sendEverything, sendLater } from './send.ts'
import { type Beginning, Spool } from './spool.ts'
import { stepOf } from './step.ts'

export interface Session {
  readonly client: () => ServiceClient
  readonly env: Env
  readonly folder: string
  readonly input: HookInput
  /** Account of the host, if the command names it. */
  readonly account?: string | undefined
  /** Command that makes the status line instead. */
  readonly lineCommand?: string | undefined
}
interface Boot {
  readonly bundle: string
  readonly manifest: { readonly repo: string; readonly registration?: object }
}

/** Steps are sent after this time, or when this number of bytes waits. */
const SEND_EVERY_MS = 15_000
const SEND_BYTES = 64 * 1024
const RUNNING_SENDER_WAIT_MS = 2_000

/**
 * Registers the session and returns the answer for the host: the gateway's context for the repo. Outside of a repository it returns
 * nothing and calls nothing.
 */
export async function begin({ client: connected, env, folder, input: { sessionId, transcript } }: Session): Promise<object | undefined> {
  const [clone, head] = await Promise.all([cloneAt(folder), headAt(folder)])
  if (!clone) return undefined
  const own = sessionId === undefined ? undefined : Spool.of(sessionId, env)
  if (own && sessionId !== undefined) own.begin(beginningOf(sessionId, clone, head, env))
  followTranscript(own, transcript, env)
  const client = connected()
  const beginning = own?.beginning
  const begun = own && beginning ? await sendBeginning(client, own, beginning).catch(ignoreUnreachable) : undefined
  if (begun) await endGone(client, begun.unfinished, machine(), env).catch(() => {})
  let booted = await boot(client, clone)
  const { registration } = booted.manifest
  const fault = registration && (await register(client, registration))
  // The first context asks the agent to register the repo.
  if (registration && fault === undefined) booted = await boot(client, clone)
  const { bundle, manifest } = booted
  const { repo } = manifest
  if (Spool.all(env).some(({ folder }) => folder !== own?.folder)) sendLater(env)
  const keep =
    begun?.branch === undefined
      ? ''
      : `\n\nKeep what you learn and decide, with the reasons, by brain_commit with repo "${repo}" and branch "${begun.branch}"; it is merged when this session ends.`
  const asked =
    sessionId === undefined ? '' : `\n\nWhen you hand over, call handoff_write with repo "${repo}" and sessionId "${sessionId}".`
  const additionalContext = `${bundle.trimEnd()}${keep}${asked}`
  return { ...(fault && { systemMessage: fault }), hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } }
}

/** Stores one step on disk; a separate process sends the steps in batches. The host waits for neither the gateway nor git. */
export async function use({ env, input }: Session): Promise<undefined> {
  const { sessionId } = input
  if (sessionId === undefined) return
  const spool = Spool.of(sessionId, env)
  const { beginning } = spool
  if (!beginning) return
  spool.append(stepOf(input, beginning.root, new Date()))
  if (spool.isDue(SEND_EVERY_MS, SEND_BYTES, Date.now())) sendLater(env)
}

/** Hands over git's record of the session's work, and ends the session. Both are sent later when the gateway is not reached. */
export async function end({ client: connected, env, folder, input: { sessionId, transcript } }: Session): Promise<undefined> {
  const own = sessionId === undefined ? undefined : Spool.of(sessionId, env)
  const known = own?.beginning
  const clone = await cloneAt(folder)
  if (!clone && !known) return
  const work = await workSince(clone ? folder : (known as Beginning).root, known?.head)
  if (sessionId === undefined || !own) {
    const client = connected()
    return handOver(client, { repo: (await boot(client, clone as Clone)).manifest.repo, machine: machine() }, work) as Promise<undefined>
  }
  if (!known) own.begin(beginningOf(sessionId, clone as Clone, '', env))
  followTranscript(own, transcript, env)
  own.end({ ending: 'ended', ...work })
  await sendAll(connected(), own, RUNNING_SENDER_WAIT_MS)
}

/** Sends what waits of all sessions: the process that the other hooks start runs this. */
export async function send({ client, env }: Session): Promise<undefined> {
  await sendEverything(client(), env)
}

/** The session begins all the same when the gateway cannot register it; one that is not reached gives no context either. */
function ignoreUnreachable(error: unknown): undefined {
  const { cause } = error as { cause?: { name?: unknown } }
  if (cause?.name === 'TimeoutError' || (isCommandError(error) && error.exitCode === EXIT.refused)) return undefined
  throw error
}

/** Conversations are sent unless GATEWAY_HOOK_TRANSCRIPTS is 0. */
function followTranscript(spool: Spool | undefined, transcript: string | undefined, env: Env): void {
  if (transcript !== undefined && env.GATEWAY_HOOK_TRANSCRIPTS !== '0') spool?.follow(transcript)
}

const machine = (): string => hostname().slice(0, 200)

function beginningOf(sessionId: string, clone: Clone, head: string, env: Env): Beginning {
  const facts = { process: hostProcess(), taskId: env.GATEWAY_TASK_ID || undefined, head: head === '' ? undefined : head }
  return { sessionId, host: hostName(env), machine: machine(), ...clone, ...defined(facts) }
}

const boot = async (client: ServiceClient, clone: Clone): Promise<Boot> =>
  (await client.call('context_boot', { ...clone, include: ['manifest'] })) as Boot

/** Registers the repo. The session continues when that is refused, for example to a read-only key; the refusal is returned. */
async function register(client: ServiceClient, registration: object): Promise<string | undefined> {
  try {
    await client.call('repos_upsert', registration)
    return undefined
  } catch (error) {
    if (!isCommandError(error)) throw error
    return `gateway: this repo was not registered. ${error.message}`
  }
}
