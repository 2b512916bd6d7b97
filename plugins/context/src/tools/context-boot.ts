import { cloneArguments, ManagedReposInvalid, repoArgument } from '@gateway/plugin-repos/api'
import { FileUnusable } from '@gateway/plugin-state/api'
import { closed, defined, defineTool, nonBlankText, Type } from '@gateway/sdk'
import { mayCall } from '../operations/allowed-tools.ts'
import { boot } from '../operations/boot.ts'
import { bootUses } from '../operations/boot-uses.ts'
import { recordBoot } from '../operations/record-boot.ts'
import { recordServed } from '../operations/record-served.ts'
import { handoffRecall, snippetsFor } from '../operations/snippets.ts'

const BUDGET = { default: 1_800, max: 64_000 }
const EXPAND = { default: 4, max: 8 }
/** Members of the answer that `include` chooses. `snippets` brings `lazyRecall` too; both need a query as well. */
const MEMBERS = ['brief', 'manifest', 'snippets'] as const
const DEFAULT_MEMBERS: readonly (typeof MEMBERS)[number][] = ['snippets']
/** Tools to continue with after a bundle, if they exist. */
const LAZY = ['memory_search', 'recall_session', 'memory_context', 'brain_search', 'session_recall', 'handoff_read', 'state_read']

const Placed = Type.Object(
  {
    title: Type.String(),
    place: Type.Enum(['stable', 'volatile']),
    characters: Type.Integer(),
    of: Type.Integer({ description: 'Length of the whole text.' }),
    truncated: Type.Boolean(),
  },
  closed,
)
const Found = Type.Object(
  {
    source: Type.String(),
    content: Type.String(),
    title: Type.Optional(Type.String()),
    repo: Type.Optional(Type.String()),
    createdAt: Type.Optional(Type.String()),
    truncated: Type.Optional(Type.Boolean()),
  },
  closed,
)
const brief = Type.Object({ who: Type.String(), state: Type.String(), handoff: Type.String(), next: Type.String() }, closed)
const manifest = Type.Object(
  {
    repo: Type.String(),
    budget: Type.Integer(),
    characters: Type.Integer({ description: 'Length of the bundle.' }),
    boundary: Type.Integer({ description: 'Index of the cache boundary in the bundle; -1 when it does not fit into the budget.' }),
    stableSha256: Type.String({ description: 'SHA-256 of the text above the boundary.' }),
    parts: Type.Array(Placed),
    registered: Type.Boolean({ description: 'The repo is in the roster or the list of managed repos.' }),
    registration: Type.Optional(
      Type.Object(
        {
          name: Type.String(),
          path: Type.Optional(Type.String()),
          gitRemote: Type.Optional(Type.String()),
          source: Type.String(),
          enabled: Type.Optional(Type.Boolean()),
        },
        { ...closed, description: 'Arguments for repos_upsert, with facts that the roster lacks.' },
      ),
    ),
  },
  closed,
)

export const contextBoot = defineTool({
  name: 'context_boot',
  description:
    'Begin work in a repo: identity, state, handoff and next tasks as Markdown, stable parts first. A query adds snippets. Returns {bundle, brief?, manifest?, snippets?, lazyRecall?}.',
  capability: 'read',
  effect: 'read',
  listing: 'core',
  input: Type.Object(
    {
      repo: Type.Optional(repoArgument),
      ...cloneArguments,
      query: Type.Optional(nonBlankText(2_000)),
      expandLimit: Type.Optional(Type.Integer({ default: EXPAND.default, minimum: 0, description: `Snippets, at most ${EXPAND.max}.` })),
      crossProject: Type.Optional(Type.Boolean({ default: false, description: 'Include other repos.' })),
      include: Type.Optional(Type.Array(Type.Enum(MEMBERS), { maxItems: MEMBERS.length, description: 'Default: snippets.' })),
      budget: Type.Optional(
        Type.Integer({ default: BUDGET.default, minimum: 1, description: `Characters of the bundle, at most ${BUDGET.max}.` }),
      ),
    },
    closed,
  ),
  output: Type.Object(
    {
      bundle: Type.String(),
      brief: Type.Optional(brief),
      manifest: Type.Optional(manifest),
      snippets: Type.Optional(Type.Array(Found)),
      lazyRecall: Type.Optional(Type.Array(Type.String())),
    },
    closed,
  ),
  errors: [ManagedReposInvalid, FileUnusable],
  uses: bootUses,
  async handle(
    {
      repo,
      remote,
      root,
      query,
      expandLimit = EXPAND.default,
      crossProject = false,
      include = DEFAULT_MEMBERS,
      budget: asked = BUDGET.default,
    },
    uses,
    ctx,
  ) {
    const began = ctx.now().getTime()
    const budget = Math.min(asked, BUDGET.max)
    const recalls = [handoffRecall(uses.states), ...uses.recalls]
    const { bundle, brief, coldCharacters, parts, boundary, stableSha256, registered, registration, ...booted } = await boot(
      { repo, remote, root, budget, crossProject },
      { ...uses, recalls },
      ctx,
    )
    const search = { query: query ?? '', repo: booted.repo, crossProject, limit: Math.min(expandLimit, EXPAND.max) }
    const searches = query !== undefined && search.limit > 0 && include.includes('snippets')
    const snippets = !searches ? [] : await snippetsFor(search, recalls, ctx)
    const served = { tool: 'context_boot', repo: booted.repo, coldCharacters, servedCharacters: bundle.length }
    await recordBoot({ ...served, milliseconds: ctx.now().getTime() - began }, uses, ctx)
    await recordServed(uses.parts, parts, { repo: booted.repo, budget, crossProject }, ctx)
    const manifest = {
      repo: booted.repo,
      budget,
      characters: bundle.length,
      boundary,
      stableSha256,
      parts: [...parts],
      registered,
      ...defined({ registration }),
    }
    const lazyRecall = LAZY.filter((tool) => mayCall(tool, uses, ctx))
    const recall = query !== undefined && { snippets: [...snippets], lazyRecall }
    return {
      bundle,
      ...(include.includes('brief') && { brief }),
      ...(include.includes('manifest') && { manifest }),
      ...(include.includes('snippets') && recall),
    }
  },
})
