import accountUsage from '@gateway/plugin-account-usage'
import agents from '@gateway/plugin-agents'
import artifacts from '@gateway/plugin-artifacts'
import backlog from '@gateway/plugin-backlog'
import brain from '@gateway/plugin-brain'
import brainHosting from '@gateway/plugin-brain-hosting'
import brainPacks from '@gateway/plugin-brain-packs'
import brainSharing from '@gateway/plugin-brain-sharing'
import budgets from '@gateway/plugin-budgets'
import canary from '@gateway/plugin-canary'
import codeGraph from '@gateway/plugin-code-graph'
import connectors from '@gateway/plugin-connectors'
import context from '@gateway/plugin-context'
import dashboard from '@gateway/plugin-dashboard'
import discovery from '@gateway/plugin-discovery'
import dispatch from '@gateway/plugin-dispatch'
import embeddings from '@gateway/plugin-embeddings'
import entitlements from '@gateway/plugin-entitlements'
import events from '@gateway/plugin-events'
import fleet from '@gateway/plugin-fleet'
import funnel from '@gateway/plugin-funnel'
import giftCodes from '@gateway/plugin-gift-codes'
import git from '@gateway/plugin-git'
import health from '@gateway/plugin-health'
import jobHistory from '@gateway/plugin-job-history'
import leases from '@gateway/plugin-leases'
import logs from '@gateway/plugin-logs'
import mailbox from '@gateway/plugin-mailbox'
import marketplace from '@gateway/plugin-marketplace'
import memory from '@gateway/plugin-memory'
import modelEndpoint from '@gateway/plugin-model-endpoint'
import notifications from '@gateway/plugin-notifications'
import oauth from '@gateway/plugin-oauth'
import otlp from '@gateway/plugin-otlp'
import outgoing from '@gateway/plugin-outgoing'
import plans from '@gateway/plugin-plans'
import pluginTools from '@gateway/plugin-plugin-tools'
import providers from '@gateway/plugin-providers'
import recurring from '@gateway/plugin-recurring'
import repos from '@gateway/plugin-repos'
import runner from '@gateway/plugin-runner'
import runners from '@gateway/plugin-runners'
import schedules from '@gateway/plugin-schedules'
import sessions from '@gateway/plugin-sessions'
import signIn from '@gateway/plugin-sign-in'
import slo from '@gateway/plugin-slo'
import state from '@gateway/plugin-state'
import swarms from '@gateway/plugin-swarms'
import sweeps from '@gateway/plugin-sweeps'
import tasks from '@gateway/plugin-tasks'
import tenantEnd from '@gateway/plugin-tenant-end'
import tenants from '@gateway/plugin-tenants'
import traces from '@gateway/plugin-traces'
import trash from '@gateway/plugin-trash'
import usage from '@gateway/plugin-usage'
import webhooks from '@gateway/plugin-webhooks'
import work from '@gateway/plugin-work'
import type { Plugin } from '@gateway/sdk'

export { type FamilyArea, familyAreas } from './areas.ts'

/** Every built-in family, in the order in which their tools are listed. */
export const standardPlugins: readonly Plugin[] = [
  state,
  sessions,
  context,
  trash,
  tasks,
  mailbox,
  swarms,
  dispatch,
  traces,
  logs,
  artifacts,
  jobHistory,
  leases,
  runners,
  backlog,
  repos,
  codeGraph,
  plans,
  schedules,
  recurring,
  fleet,
  connectors,
  giftCodes,
  git,
  brain,
  tenants,
  signIn,
  outgoing,
  providers,
  agents,
  entitlements,
  budgets,
  accountUsage,
  usage,
  pluginTools,
  embeddings,
  memory,
  discovery,
  work,
  modelEndpoint,
  notifications,
  health,
  slo,
  canary,
  funnel,
  brainSharing,
  brainPacks,
  brainHosting,
  marketplace,
  sweeps,
  tenantEnd,
  events,
  webhooks,
  dashboard,
  otlp,
  runner,
  oauth,
]
