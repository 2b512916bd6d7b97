import { hostname } from 'node:os'
import { defined } from '@gateway/sdk'
import { isCommandError, type ServiceClient } from '@gateway/sdk/command'
import type { Env } from '../command.ts'
import { rememberBeginning, takeBeginning } from './beginning.ts'
import { type Clone, cloneAt, headAt, workSince } from './git.ts'
import { AUTHOR, type Before, handoffText } from './handoff.ts'

export interface Session {
  readonly client: ServiceClient
  readonly env: Env
  readonly folder: string
  readonly sessionId: string | undefined
}
interface Boot {
  readonly bundle: string
  readonly manifest: { readonly repo: string; readonly registration?: object }
}

/** Returns the answer for the host: the gateway's context for the repo. Outside of a repository it returns nothing and calls nothing. */
export async function begin({ client, env, folder, sessionId }: Session): Promise<object | undefined> {
  const [clone, head] = await Promise.all([cloneAt(folder), headAt(folder)])
  if (!clone) return undefined
  const commit = head === '' ? undefined : head
  try {
    const { bundle, manifest } = await boot(client, clone)
    const { repo, registration } = manifest
    if (sessionId !== undefined) rememberBeginning(sessionId, defined({ head: commit, repo }), env)
    const fault = registration && (await register(client, registration))
    const asked =
      sessionId === undefined ? '' : `\n\nWhen you hand over, call handoff_write with repo "${repo}" and sessionId "${sessionId}".`
    const additionalContext = `${bundle.trimEnd()}${asked}`
    return { ...(fault && { systemMessage: fault }), hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } }
  } catch (error) {
    if (sessionId !== undefined) rememberBeginning(sessionId, defined({ head: commit }), env)
    throw error
  }
}

/** Hands over git's record of the session's work. */
export async function end({ client, env, folder, sessionId }: Session): Promise<undefined> {
  const clone = await cloneAt(folder)
  const { head, repo: remembered } = sessionId === undefined ? {} : takeBeginning(sessionId, env)
  if (!clone) return
  const work = await workSince(folder, head)
  if (work.commits.length === 0 && work.uncommitted.length === 0) return
  const repo = remembered ?? (await boot(client, clone)).manifest.repo
  const { latest } = (await client.call('handoff_read', { repo })) as { latest: (Before & { sessionId?: string }) | null }
  if (latest && sessionId !== undefined && latest.sessionId === sessionId) return
  await client.call('handoff_write', {
    repo,
    ...handoffText(work, latest),
    author: AUTHOR,
    machine: hostname().slice(0, 200),
    ...(work.branch !== '' && { branch: work.branch.slice(0, 250) }),
    ...defined({ sessionId }),
  })
}

const boot = async (client: ServiceClient, clone: Clone): Promise<Boot> => (await client.call('context_boot', { ...clone })) as Boot

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
