import { defined, provide } from '@gateway/sdk'
import { type AtomFilter, brain } from '../api.ts'
import { begin } from '../operations/begin.ts'
import { openBranches } from '../operations/branches.ts'
import { bootBrief, briefOf, cutLines } from '../operations/briefs.ts'
import { commitAtom } from '../operations/commit.ts'
import { commitMany } from '../operations/commit-many.ts'
import { viewOf } from '../operations/documents.ts'
import { requireHere } from '../operations/elsewhere.ts'
import { namespacesOf } from '../operations/namespaces.ts'
import { checkDraft } from '../operations/plan-atom.ts'
import { brainUses, type Caller, type Refs } from '../operations/refs.ts'
import { refusePush } from '../operations/refuse-push.ts'
import { view, viewInSequence } from '../operations/view.ts'
import { parseAtom } from '../rules/atom-file.ts'
import { readAtomPath } from '../rules/paths.ts'

const MAX_ATOMS = 500

export const brainProvider = provide(brain, {
  uses: brainUses,
  create: (refs, ctx) => ({
    begin: () =>
      refs.sequencer.run(ctx.tenantId, async () => {
        const repo = refs.git.brain(ctx.tenantId)
        await begin(refs, repo, ctx)
        // The index tells other nodes that the brain is here.
        await viewInSequence(refs, repo, ctx)
      }),
    requireHere: () => requireHere(refs, refs.git.brain(ctx.tenantId)),
    async commit(draft, { branch } = {}) {
      checkDraft(draft)
      return commitAtom(refs, ctx, draft, { branch })
    },
    commitMany: (drafts, message) => commitMany(refs, ctx, drafts, message),
    async atoms(filter, limit) {
      const seen = await view(refs, ctx)
      if (!seen) return []
      const pages = await Promise.all(
        seen.visible.map((branch) =>
          refs.atoms.find({ where: where(filter, branch), sort: { seq: -1 }, limit: Math.min(limit, MAX_ATOMS) }),
        ),
      )
      const all = new Map(pages.flatMap(({ items }) => items).map((atom) => [atom.path, atom]))
      return [...all.values()]
        .sort((a, b) => b.seq - a.seq)
        .slice(0, limit)
        .map(viewOf)
    },
    count: async (filter, max) => ((await view(refs, ctx)) ? refs.atoms.count(where(filter, 'main'), { max }) : 0),
    async content({ path }) {
      const seen = await view(refs, ctx)
      if (!seen || !readAtomPath(path) || (await refs.forgotten.get(path))) return undefined
      const text = (await seen.repo.file(seen.head, path)) ?? (await seen.repo.file(seen.main, path))
      return text === undefined ? undefined : parseAtom(text).content
    },
    async namespaces() {
      const seen = await view(refs, ctx)
      return seen ? namespacesOf(refs, seen) : []
    },
    async brief(budget, namespace) {
      const seen = await view(refs, ctx)
      if (!seen) return ''
      return namespace === undefined ? bootBrief(refs, budget) : cutLines(await briefOf(refs, seen, namespace), budget)
    },
    bootSection: (budget) => bootBrief(refs, budget),
    usageBytes: async () => (await refs.git.brain(ctx.tenantId).usage()).bytes,
    async refresh() {
      const before = await indexedAtoms(refs)
      await inStep(refs, ctx)
      return Math.abs((await indexedAtoms(refs)) - before)
    },
    refusePush: (pushed, quarantine) => refusePush(refs.git.brain(ctx.tenantId), pushed, quarantine),
  }),
})

async function inStep(refs: Refs, caller: Caller): Promise<void> {
  const seen = await view(refs, caller)
  if (seen) await openBranches(refs, caller, seen)
}

function where({ namespace, kind, topic, slug }: AtomFilter, branch: string) {
  return {
    branch,
    ...defined({ namespace, kind, topic, slug }),
  }
}

async function indexedAtoms({ namespaces }: Refs): Promise<number> {
  const { items } = await namespaces.find({ limit: 10_000 })
  return items.reduce((sum, one) => sum + one.session + one.handoff + one.memory, 0)
}
