import { definePlugin } from '@gateway/sdk'
import { experiences, states } from './collections.ts'
import { config } from './config.ts'
import { trippedBreakers } from './contributions/attention.ts'
import { modelsCheck } from './contributions/doctor-check.ts'
import { configureProvider } from './contributions/getting-started.ts'
import { providerFigures } from './contributions/health-figures.ts'
import { probe } from './contributions/health-probe.ts'
import { providerReading } from './contributions/metric-reading.ts'
import { configuredPrices } from './contributions/price-list.ts'
import { llmFact } from './contributions/status-facts.ts'
import { journalOfTenant } from './contributions/tenant-cache.ts'
import { heard } from './listeners/changed.ts'
import { observed } from './listeners/observed.ts'
import { modelDuration, tokens, usable } from './metrics.ts'
import { modelObserved, providerChanged } from './operations/events.ts'
import { overview } from './pages/overview.ts'
import { providersPage } from './pages/providers.ts'
import { modelsProvider } from './services/models.ts'
import { providerPoolProvider } from './services/pool.ts'
import { sharedStateProvider } from './services/shared-state.ts'
import { providerHealth } from './tools/provider-health.ts'
import { providerMaintenanceEnter } from './tools/provider-maintenance-enter.ts'
import { providerMaintenanceExit } from './tools/provider-maintenance-exit.ts'
import { providerReset } from './tools/provider-reset.ts'
import { routingConfig } from './tools/routing-config.ts'
import { routingInfo } from './tools/routing-info.ts'

/**
 * Language models. Life of a call:
 *
 * 1. Routed: a rule names its tier, complexity may raise it, a budget lower it; providers with a model for it are the
 *    candidates.
 * 2. Admitted: the first candidate that is not in maintenance, cooling down, at its limits or busy takes it. If none does, it
 *    waits in turn with those of the other tenants, but never for a provider that is down.
 * 3. Reserved: the budget family agrees to its greatest price, or refuses it.
 * 4. Asked: sent once and read as it arrives, to the end or until its caller stops it.
 * 5. Learned: the provider's breaker and counts are updated, and other nodes are notified of a change; with `routing.order: experience`
 *    outcomes are kept for all nodes, a record a minute for each model.
 * 6. Settled: the usage is charged, also of an answer that broke off.
 * 7. Answered; or, after a failure that may pass, sent to the next provider, until its hops are used up.
 */
export default definePlugin({
  id: 'providers',
  sdk: '^1.0.0',
  description: 'Language models: providers in two API formats, routing of calls, and failover when one is down.',
  config,
  collections: [states, experiences],
  events: [providerChanged, modelObserved],
  on: [heard, observed],
  tools: [providerHealth, providerReset, providerMaintenanceEnter, providerMaintenanceExit, routingInfo, routingConfig],
  provides: [providerPoolProvider, sharedStateProvider, modelsProvider],
  metrics: [modelDuration, tokens, usable],
  contributes: [
    configureProvider,
    probe,
    providerFigures,
    llmFact,
    providerReading,
    trippedBreakers,
    journalOfTenant,
    configuredPrices,
    modelsCheck,
  ],
  pages: [providersPage],
  overview,
})
