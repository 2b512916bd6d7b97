import { defined } from '@gateway/sdk'
import type { Move, Task } from '../schema.ts'

/** Limit of recorded moves; the latest are kept. */
const MAX_MOVES = 50
const MAX_ERROR = 500

export function withMove(moves: readonly Move[], before: Task, after: Task): Move[] {
  const { claimedBy, claimedByPrincipal, claimedAt } = before
  const failed = after.lastError !== undefined && after.lastError !== before.lastError
  const move: Move = {
    at: after.updatedAt,
    from: before.status,
    to: after.status,
    ...(claimedBy !== undefined && claimedAt !== undefined && { claimedBy, claimedAt, ...defined({ claimedByPrincipal }) }),
    ...(failed && { error: after.lastError?.slice(0, MAX_ERROR) ?? '' }),
  }
  return [...moves.slice(1 - MAX_MOVES), move]
}

type Claimer = Pick<Move, 'claimedBy' | 'claimedByPrincipal' | 'claimedAt'>

export interface TaskEvent {
  readonly at: string
  readonly what: 'created' | 'claimed' | Task['status']
  readonly by?: string
  readonly byPrincipal?: string
  readonly error?: string
}

/** Events of a task, oldest first: its creation, its moves, and the claims that they ended or that still hold. */
export function storyOf({ createdAt, ...task }: Task, moves: readonly Move[]): TaskEvent[] {
  const by = ({ claimedBy, claimedByPrincipal }: Claimer) => defined({ by: claimedBy, byPrincipal: claimedByPrincipal })
  const claim = (claimer: Claimer): TaskEvent[] =>
    claimer.claimedBy === undefined || claimer.claimedAt === undefined ? [] : [{ at: claimer.claimedAt, what: 'claimed', ...by(claimer) }]
  return [
    { at: createdAt, what: 'created' },
    ...moves.flatMap((move) => [...claim(move), { at: move.at, what: move.to, ...by(move), ...defined({ error: move.error }) }]),
    ...claim(task),
  ]
}
