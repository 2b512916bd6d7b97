import { provide } from '@gateway/sdk'
import { repoNames, taskQueue } from '../api.ts'
import { changeUses, childrenOf, taskMoves } from '../operations/change.ts'
import { closedGate, createClaimed, queueUses, readyTasks } from '../operations/claim.ts'
import { createTaskIn, newTaskUses } from '../operations/create.ts'
import { countReady } from '../operations/for-runners.ts'
import { repoName } from '../operations/repo-name.ts'
import { readyReserved } from '../operations/reserved.ts'
import { unattended } from '../operations/unattended.ts'

export const queueProvider = provide(taskQueue, {
  uses: { ...changeUses, ...newTaskUses, ...queueUses, names: repoNames },
  create: (refs, ctx) => ({
    enqueue: async (draft, tx) => createTaskIn(tx, refs, { ...draft, repo: await repoName(refs.names, draft.repo, { stores: true }) }, ctx),
    enqueueClaimed: async (draft, taking, tx) =>
      createClaimed(tx, refs, { ...draft, repo: await repoName(refs.names, draft.repo, { stores: true }) }, taking, ctx),
    repoName: (text, purpose) => repoName(refs.names, text, purpose),
    get: (taskId, tx) => (tx ? refs.tasks.in(tx) : refs.tasks).get(taskId),
    getMany: (taskIds) => refs.tasks.getMany(taskIds),
    children: (swarmId, tx) => childrenOf(tx ? refs.tasks.in(tx) : refs.tasks, swarmId),
    swarms: (tx) => taskMoves(refs, tx),
    ready: (query) => readyTasks(refs, query, ctx),
    countReady: (reserved) => countReady(refs.tasks, reserved),
    readyReserved: (reserved, limit) => readyReserved(refs, reserved, limit, ctx),
    unattended: (before) => unattended(refs.tasks, before),
    closed: () => closedGate(refs, ctx),
  }),
})
