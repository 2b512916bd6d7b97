import { Pool } from 'undici'
import type { Random } from '../powercut/random.ts'
import type { Promises } from './promises.ts'
import { type Caller, Worker } from './worker.ts'

const CONNECTIONS = 32
const WORKERS = 48

/** The connection broke before an answer came: it is unknown if the call was executed. */
export class Unanswered extends Error {}

/** Runs many workers over many connections, until the gateway is killed under them. `onAnswer` is called for every answer. */
export async function runFleet(url: string, round: string, promises: Promises, random: Random, onAnswer: () => void): Promise<void> {
  const pool = new Pool(url, { connections: CONNECTIONS })
  const ask = caller(pool)
  const call: Caller = async (tool, args) => {
    const answer = await ask(tool, args).catch((error: unknown) => {
      if (error instanceof Unanswered) count(promises.unanswered, tool)
      throw error
    })
    // A claim that found nothing writes no audit record.
    if (tool !== 'tasks_claim' || answer.claimed === true) count(promises.answered, tool)
    onAnswer()
    return answer
  }
  const ends = await Promise.allSettled(
    Array.from({ length: WORKERS }, (_, n) => new Worker(`worker-${n}`, round, call, promises, random).run()),
  )
  await pool.destroy()
  for (const end of ends) if (end.status === 'rejected' && !(end.reason instanceof Unanswered)) throw end.reason
}

export function caller(pool: Pool): Caller {
  return async (tool, args) => {
    const { status, text } = await post(pool, `/api/tools/${tool}`, JSON.stringify(args))
    if (status !== 200) throw new Error(`${tool} ${JSON.stringify(args)} answered ${status}: ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }
}

async function post(pool: Pool, path: string, body: string): Promise<{ status: number; text: string }> {
  try {
    const response = await pool.request({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body })
    return { status: response.statusCode, text: await response.body.text() }
  } catch (cause) {
    throw new Unanswered('no answer', { cause })
  }
}

const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
