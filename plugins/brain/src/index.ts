import { defineCommand, definePlugin } from '@gateway/sdk'
import { brainMerged } from './api.ts'
import * as collections from './collections.ts'
import { config } from './config.ts'
import { brainAtBoot, decisionsAtBoot, lastSessionAtBoot, memoryOfAllAtBoot, openWorkAtBoot } from './contributions/context-part.ts'
import { indexesFit } from './contributions/doctor-check.ts'
import { repositoryOfTenant } from './contributions/external-data.ts'
import { atomsOfBrain } from './contributions/memory-chunk-keeper.ts'
import { atomIndex } from './contributions/memory-contributor.ts'
import { atomsOfRepos } from './contributions/repo-activity.ts'
import { tracesOfTasks } from './contributions/route-traces.ts'
import { sessionCorpus } from './contributions/search-corpus.ts'
import { brainSearchHits } from './contributions/search-source.ts'
import { branchOfSession } from './contributions/sessions-keeper.ts'
import { recordsOfBrain } from './contributions/sessions-records.ts'
import { routedTasks } from './contributions/tasks-change.ts'
import { stepsOfTask } from './contributions/tasks-steps.ts'
import { distilJob } from './jobs/distil.ts'
import { brainPage } from './pages/brain.ts'
import { brainDiffPage } from './pages/brain-diff.ts'
import { brainHealthPage } from './pages/brain-health.ts'
import { brainLogPage } from './pages/brain-log.ts'
import { overview } from './pages/overview.ts'
import { briefResource } from './resources/brief.ts'
import { brainGraph } from './routes/graph.ts'
import { brainGrowth } from './routes/growth.ts'
import { brainReindex } from './routes/reindex.ts'
import { brainProvider } from './services/brain.ts'
import { foreignProvider } from './services/foreign.ts'
import { sequencerProvider } from './services/sequencer.ts'
import { brainBanditStats } from './tools/brain-bandit-stats.ts'
import { brainBlame } from './tools/brain-blame.ts'
import { brainBranch } from './tools/brain-branch.ts'
import { brainCheckout } from './tools/brain-checkout.ts'
import { brainCommit } from './tools/brain-commit.ts'
import { brainCommunities } from './tools/brain-communities.ts'
import { brainDelta } from './tools/brain-delta.ts'
import { brainDiff } from './tools/brain-diff.ts'
import { brainEntity } from './tools/brain-entity.ts'
import { brainExplore } from './tools/brain-explore.ts'
import { brainHealth } from './tools/brain-health.ts'
import { brainLog } from './tools/brain-log.ts'
import { brainLookup } from './tools/brain-lookup.ts'
import { brainManifest } from './tools/brain-manifest.ts'
import { brainMerge } from './tools/brain-merge.ts'
import { brainObserve } from './tools/brain-observe.ts'
import { brainPin } from './tools/brain-pin.ts'
import { brainPop } from './tools/brain-pop.ts'
import { brainRecallAnalytics } from './tools/brain-recall-analytics.ts'
import { brainRevert } from './tools/brain-revert.ts'
import { brainRouterTrainReadiness } from './tools/brain-router-train-readiness.ts'
import { brainSearch } from './tools/brain-search.ts'
import { brainStash } from './tools/brain-stash.ts'
import { brainStatus } from './tools/brain-status.ts'
import { brainTimeline } from './tools/brain-timeline.ts'
import { brainUnpin } from './tools/brain-unpin.ts'

/**
 * The brain: a git-versioned memory. The life of an atom:
 *
 * 1. committed to the current branch: its own file, in its own commit, that is never rewritten; identical content is
 *    recognised and changes nothing;
 * 2. indexed, so that searches, entities and timelines never walk the history; the index is rebuilt if it does not match the
 *    refs;
 * 3. merged into main with its branch: briefs and topics are compiled, its namespace is anchored at the merge;
 * 4. recalled, which is counted; if it never is, it becomes a candidate for removal, unless it is pinned or young;
 * 5. superseded by another atom that names it, and shown after it;
 * 6. reverted by an inverse commit.
 */
export default definePlugin({
  id: 'brain',
  sdk: '^1.0.0',
  description: 'A memory under version control: atoms on git branches that are merged into main, recalled and blamed.',
  config,
  collections: Object.values(collections),
  events: [brainMerged],
  tools: [
    brainStatus,
    brainHealth,
    brainRecallAnalytics,
    brainManifest,
    brainBanditStats,
    brainRouterTrainReadiness,
    brainExplore,
    brainCommit,
    brainObserve,
    brainStash,
    brainPop,
    brainPin,
    brainUnpin,
    brainBranch,
    brainCheckout,
    brainMerge,
    brainLog,
    brainDiff,
    brainDelta,
    brainLookup,
    brainBlame,
    brainEntity,
    brainTimeline,
    brainCommunities,
    brainRevert,
    brainSearch,
  ],
  contributes: [
    atomsOfRepos,
    brainSearchHits,
    repositoryOfTenant,
    sessionCorpus,
    brainAtBoot,
    decisionsAtBoot,
    memoryOfAllAtBoot,
    lastSessionAtBoot,
    openWorkAtBoot,
    atomIndex,
    atomsOfBrain,
    indexesFit,
    routedTasks,
    tracesOfTasks,
    branchOfSession,
    recordsOfBrain,
    stepsOfTask,
  ],
  jobs: [distilJob],
  routes: [brainReindex, brainGrowth, brainGraph],
  resources: [briefResource],
  commands: [
    defineCommand('brain-reindex', {
      summary: 'Rebuild the index of the brain from its repository.',
      load: () => import('./commands/brain-reindex.ts'),
    }),
  ],
  provides: [sequencerProvider, brainProvider, foreignProvider],
  pages: [brainPage, brainLogPage, brainDiffPage, brainHealthPage],
  overview,
})
