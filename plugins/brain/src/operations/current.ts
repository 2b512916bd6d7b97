import { createHash } from 'node:crypto'
import { MAIN } from '../rules/names.ts'
import type { Caller, Refs } from './refs.ts'

/** Returns the branch that the caller chose, which may no longer exist; main when it chose none. */
export const currentBranch = async (refs: Pick<Refs, 'currents'>, caller: Caller): Promise<string> =>
  (await refs.currents.get(holderOf(caller)))?.branch ?? MAIN

/** Sets the current branch of the caller, even without a brain. */
export async function checkOut({ currents }: Pick<Refs, 'currents'>, caller: Caller, branch: string): Promise<void> {
  const holder = holderOf(caller)
  if (branch === MAIN) return void (await currents.deleteOne(holder))
  const at = caller.client.session === undefined ? {} : { at: caller.now().toISOString() }
  await currents.upsert({ holder, branch, ...at }, { set: { branch, ...at } })
}

/** Parallel sessions of one principal do not share a branch. The id of a session is kept as a hash: a reader of the store must not be able to continue the session. */
function holderOf({ client, principal }: Caller): string {
  if (client.session === undefined) return `principal ${principal.id}`
  return `session ${createHash('sha256').update(client.session).digest('hex').slice(0, 32)}`
}
