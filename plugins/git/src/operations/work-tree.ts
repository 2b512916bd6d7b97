import type { WorkTree } from '../api.ts'
import type { onWorkTrees } from '../helper/operations.ts'
import type { HelperProcess } from './helper-process.ts'

type Operations = typeof onWorkTrees
type Rest<K extends keyof Operations> = Operations[K] extends (folder: string, ...args: infer A) => unknown ? A : never

const MAX_LIMIT = 10_000
const atMost = (limit: number): number => Math.min(Math.max(1, Math.trunc(limit)), MAX_LIMIT)

export function workTreeAt(folder: string, helper: HelperProcess): WorkTree {
  return {
    status: (limit) => ask('status', atMost(limit)),
    log: (limit) => ask('workLog', atMost(limit)),
    lastCommit: () => ask('lastCommit'),
    branchChanges: (base, head, limit) => ask('branchChanges', base, head, atMost(limit)),
    diffNames: (from, to, limit) => ask('diffNames', from, to, atMost(limit)),
  }

  async function ask<K extends keyof Operations>(op: K, ...args: Rest<K>): Promise<Awaited<ReturnType<Operations[K]>>> {
    return (await helper.ask(op, folder, args)) as Awaited<ReturnType<Operations[K]>>
  }
}
