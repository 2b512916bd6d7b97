import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError, EXIT } from '@gateway/sdk/command'
import type { Env } from '../command.ts'
import { credentialsPath, type SavedToken, savedToken, saveToken } from '../credentials.ts'
import { CLIENT_ID, postForm, type TokenAnswer } from './token-endpoint.ts'

/** A token is renewed this long before its end, so that a call under way does not outlast it. */
const EARLY_MS = 60_000
const LOCK_WAIT_MS = 15_000
/** A lock of a process that died is taken over after this time; a renewal has a shorter timeout. */
const LOCK_STALE_MS = 20_000

export const tokenOf = (answer: TokenAnswer, now = Date.now()): SavedToken => ({
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token,
  expiresAt: now + answer.expires_in * 1_000,
})

/**
 * Returns the access token that `gateway login` keeps for a service, renewed if it is about to end. One process renews at a time,
 * because a refresh token that is used twice ends the whole grant.
 */
export async function freshToken(url: string, env: Env): Promise<string | undefined> {
  const known = savedToken(url, env)
  if (!known || isFresh(known)) return known?.accessToken
  return locked(env, async () => {
    // Another process may have renewed it meanwhile.
    const current = savedToken(url, env)
    if (!current || isFresh(current)) return current?.accessToken
    const { status, answer } = await postForm(url, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: current.refreshToken,
      client_id: CLIENT_ID,
    })
    if (status === 200) {
      const renewed = tokenOf(answer as unknown as TokenAnswer)
      await saveToken(url, renewed, env)
      return renewed.accessToken
    }
    if (answer.error === 'invalid_grant') {
      await saveToken(url, undefined, env)
      throw new CommandError(EXIT.refused, `The login at ${url} has ended. Run \`gateway login --url ${url}\` again.`, answer)
    }
    throw new CommandError(
      EXIT.failure,
      `${url} did not renew the login: ${String(answer.error_description ?? answer.error ?? `status ${status}`)}`,
    )
  })
}

const isFresh = ({ expiresAt }: SavedToken): boolean => expiresAt - EARLY_MS > Date.now()

async function locked<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const path = `${credentialsPath(env)}.lock`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const deadline = performance.now() + LOCK_WAIT_MS
  while (!take(path)) {
    if (performance.now() > deadline)
      throw new CommandError(EXIT.failure, `${path} is held by another process; remove it if none is running.`)
    await delay(50)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

function take(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > LOCK_STALE_MS) rmSync(path, { force: true })
    return false
  }
}
