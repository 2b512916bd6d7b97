import { BadRequest } from '@gateway/sdk'

export const MODES = ['auto', 'swarm', 'task', 'mail'] as const
export type Mode = (typeof MODES)[number]

export interface Delegation {
  readonly mode: Mode
  readonly childCount: number
  readonly to?: string | undefined
  readonly repo?: string | undefined
}

/**
 * Chooses the form of a delegation, the first of these that fits:
 *
 * 1. a swarm, with more than one child or mode swarm;
 * 2. a request by mail, with mode mail, or with mode auto, a `to` and no `repo`;
 * 3. a task.
 *
 * Throws BAD_REQUEST if that lacks what it needs, or if several children come with mode task or mail.
 */
export function modeOf(delegation: Delegation): Exclude<Mode, 'auto'> {
  const { mode, childCount, to, repo } = delegation
  if (childCount > 1 && (mode === 'task' || mode === 'mail')) {
    throw BadRequest({
      field: 'children',
      message: `\`children\` may hold at most one with mode ${mode}; got ${childCount}. Several make a swarm.`,
    })
  }
  if (childCount > 1 || mode === 'swarm') return needing('repo', repo, 'swarm')
  if (mode === 'mail' || (mode === 'auto' && to !== undefined && repo === undefined)) return needing('to', to, 'mail')
  return needing('repo', repo, 'task')
}

const wanted = { swarm: 'a swarm is planned for a repo', task: 'a task belongs to a repo', mail: 'mail needs an address' } as const

function needing<M extends keyof typeof wanted>(field: string, value: string | undefined, mode: M): M {
  if (value !== undefined) return mode
  throw BadRequest({ field, message: `\`${field}\` is missing: ${wanted[mode]}.` })
}
