import { spawn } from 'node:child_process'
import { defined } from '@gateway/sdk'
import type { ServiceClient } from '@gateway/sdk/command'
import type { Env } from '../command.ts'
import { workSince } from './git.ts'
import { AUTHOR, type Before, handoffText } from './handoff.ts'
import { isGone } from './host.ts'
import { sendReadings } from './readings.ts'
import { isRefusal } from './refusal.ts'
import { type Beginning, type Ending, Spool } from './spool.ts'
import { pieceAt } from './transcript.ts'

const BATCH = 100
const MAX_LINES = 200
/** Pieces of a transcript, of 256 KiB each, that one sender sends. What is longer at the end of a session stays with its host. */
const MAX_PIECES = 8
const MAX_PIECES_AT_END = 64
/** Number of times that an end is told to a session that stays open. A later one finds it silent. */
const MAX_ENDS = 3

export interface Begun {
  readonly repo: string
  readonly branch?: string
  readonly unfinished: readonly { readonly sessionId: string; readonly machine?: string; readonly process?: string }[]
}

/** Tells the gateway that a session began. A key that may not is an answer too: nothing more is sent for the session. */
export async function sendBeginning(client: ServiceClient, spool: Spool, beginning: Beginning): Promise<Begun | undefined> {
  const { head: _head, isSent: _sent, ...facts } = beginning
  try {
    const begun = (await client.post('/api/sessions/begin', facts)) as Begun
    spool.begin({ ...beginning, repo: begun.repo, isSent: true })
    return begun
  } catch (error) {
    if (!isRefusal(error)) throw error
    spool.remove()
    return undefined
  }
}

/** Sends what waits of a session, in order: its beginning, its steps, its handoff and its end. What was not sent stays. */
export function sendAll(client: ServiceClient, spool: Spool, waitMs = 0): Promise<void> {
  return spool.locked(async () => {
    const first = spool.beginning
    if (!first) return
    if (!first.isSent && !(await sendBeginning(client, spool, first))) return
    const beginning = spool.beginning ?? first
    await sendSteps(client, spool, beginning.sessionId)
    const { ending } = spool
    if (ending) await sendEnding(client, beginning, ending)
    await sendTranscript(client, spool, beginning, ending ? MAX_PIECES_AT_END : MAX_PIECES)
    if (ending) spool.remove()
  }, waitMs)
}

async function sendSteps(client: ServiceClient, spool: Spool, sessionId: string): Promise<void> {
  // Steps of an interrupted sender come first, then those that were written meanwhile.
  for (let round = 0; round < 2; round++) {
    const steps = spool.steps()
    for (let at = 0; at < steps.length; at += BATCH) {
      try {
        await client.post(`/api/sessions/${encodeURIComponent(sessionId)}/steps`, { steps: steps.slice(at, at + BATCH) })
      } catch (error) {
        // Steps that the gateway refuses would be refused again.
        if (!isRefusal(error)) throw error
      }
    }
    spool.taken()
  }
}

/** Sends what the transcript has gained. A piece that is sent again, after its answer was lost, adds nothing. */
async function sendTranscript(client: ServiceClient, spool: Spool, { sessionId, repo, host }: Beginning, maxPieces: number): Promise<void> {
  for (let sent = 0; sent < maxPieces; sent++) {
    const { transcript } = spool
    const piece = transcript && pieceAt(transcript.path, transcript.sent)
    if (!piece) return
    for (let at = 0; at < piece.messages.length; at += BATCH) {
      try {
        await client.post('/api/memory/transcripts', { sessionId, repo, host, messages: piece.messages.slice(at, at + BATCH) })
      } catch (error) {
        if (!isRefusal(error)) throw error
      }
    }
    spool.sentTo(piece.next)
  }
}

async function sendEnding(client: ServiceClient, { sessionId, repo, machine }: Beginning, end: Ending): Promise<void> {
  try {
    await handOver(client, { sessionId, repo, machine }, end)
    const { ending, branch, commits, uncommitted } = end
    const lines = (all: readonly string[]): readonly string[] => all.slice(0, MAX_LINES).map((line) => line.slice(0, 500))
    const told = {
      ending,
      ...(branch !== '' && { gitBranch: branch.slice(0, 300) }),
      commits: lines(commits),
      uncommitted: lines(uncommitted),
    }
    // A session stays open when steps came while it was ended, and its next end keeps them too.
    for (let tries = 0; tries < MAX_ENDS; tries++) {
      const { status } = (await client.post(`/api/sessions/${encodeURIComponent(sessionId)}/end`, told)) as { status: string }
      if (status !== 'active') return
    }
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

/** Writes git's record of the work as a handoff, unless the session left nothing or handed over itself. */
export async function handOver(
  client: ServiceClient,
  { sessionId, repo, machine }: { readonly sessionId?: string | undefined; readonly repo: string; readonly machine: string },
  work: Pick<Ending, 'branch' | 'commits' | 'uncommitted'>,
): Promise<void> {
  if (work.commits.length === 0 && work.uncommitted.length === 0) return
  const { latest } = (await client.call('handoff_read', { repo })) as { latest: (Before & { sessionId?: string }) | null }
  if (latest && sessionId !== undefined && latest.sessionId === sessionId) return
  await client.call('handoff_write', {
    repo,
    ...handoffText(work, latest),
    author: AUTHOR,
    machine,
    ...(work.branch !== '' && { branch: work.branch.slice(0, 250) }),
    ...defined({ sessionId }),
  })
}

/** Ends the sessions of this machine whose hosts have died, and attaches git's record of their work. */
export async function endGone(client: ServiceClient, unfinished: Begun['unfinished'], machine: string, env: Env): Promise<void> {
  for (const { sessionId, machine: other, process } of unfinished) {
    if (other !== machine || !isGone(process)) continue
    const spool = Spool.of(sessionId, env)
    if (spool.beginning) await sendCrashed(client, spool, spool.beginning)
    else await client.post(`/api/sessions/${encodeURIComponent(sessionId)}/end`, { ending: 'crashed' })
  }
}

async function sendCrashed(client: ServiceClient, spool: Spool, { root, head }: Beginning): Promise<void> {
  if (!spool.ending) spool.end({ ending: 'crashed', ...(await workSince(root, head)) })
  await sendAll(client, spool)
}

/** Sends the readings of accounts and the records of all sessions that wait here. A session whose host has died is ended. */
export async function sendEverything(client: ServiceClient, env: Env): Promise<void> {
  await sendReadings(client, env)
  for (const spool of Spool.all(env)) {
    const { beginning } = spool
    if (!beginning) spool.remove()
    else if (isGone(beginning.process) && !spool.ending) await sendCrashed(client, spool, beginning)
    else await sendAll(client, spool)
  }
}

/** Starts a process that sends, so that the host does not wait. */
export function sendLater(env: Env): void {
  const [, program] = process.argv
  if (program === undefined) return
  const child = spawn(process.execPath, [...process.execArgv, program, 'hook', 'send'], {
    detached: true,
    stdio: 'ignore',
    env: { ...env },
  })
  child.on('error', () => {})
  child.unref()
}
