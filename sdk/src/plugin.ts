import type { CollectionRef } from './collection/declaration.ts'
import type { Command } from './command/index.ts'
import type { ConfigRef } from './config.ts'
import type { Log } from './context.ts'
import type { Contribution } from './contribution.ts'
import type { EventRef, Subscription } from './event.ts'
import type { JobRef } from './job.ts'
import type { MetricRef } from './metric.ts'
import type { DashboardPage, OverviewPanel } from './page/page.ts'
import type { Prompt } from './prompt.ts'
import type { PublicFiles } from './public-files.ts'
import type { Resource } from './resource.ts'
import type { Route } from './route.ts'
import type { Schema } from './schema.ts'
import type { Provider } from './service.ts'
import type { Tool } from './tool.ts'

/** Context of `start` and `stop`. Settings and process services are reached through `provideProcess`, not here. */
export interface LifecycleContext {
  readonly log: Log
  readonly signal: AbortSignal
}

/**
 * A plugin is inert data: importing it does nothing. Its life:
 *
 * 1. Loaded: the gateway imports it from the place that its config file names.
 * 2. Planned: names, ids, refs, privacy and cycles are checked, and every fault of every plugin is reported at once.
 * 3. Configured: its settings are validated and frozen.
 * 4. Stored: its collections and indexes are prepared.
 * 5. Its process services are created: the first code of it that runs.
 * 6. Started: `start`, after the plugins whose services it uses, within a time limit.
 * 7. Serving: tools, routes, jobs and listeners run.
 * 8. Stopped: `stop`, in reverse order, within a time limit, after running calls have ended.
 */
export interface Plugin {
  /** kebab-case, unique in one gateway. */
  readonly id: string
  /** Semver range of the SDK that the plugin was written for. */
  readonly sdk: string
  readonly description: string
  readonly config: ConfigRef | undefined
  readonly collections: readonly CollectionRef[]
  readonly events: readonly EventRef<Schema, unknown>[]
  readonly tools: readonly Tool[]
  readonly routes: readonly Route[]
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
  readonly pages: readonly DashboardPage[]
  /** Panels on the first page of the dashboard. */
  readonly overview: readonly OverviewPanel[]
  readonly publicFiles: readonly PublicFiles[]
  readonly jobs: readonly JobRef[]
  readonly metrics: readonly MetricRef[]
  readonly commands: readonly Command[]
  readonly provides: readonly Provider[]
  readonly contributes: readonly Contribution[]
  readonly on: readonly Subscription[]
  readonly start: ((ctx: LifecycleContext) => Promise<void>) | undefined
  readonly stop: ((ctx: LifecycleContext) => Promise<void>) | undefined
}

/** Specification by the author: the identity, and the parts that the plugin has. */
export type PluginSpec = Pick<Plugin, 'id' | 'sdk' | 'description'> & {
  readonly [K in Exclude<keyof Plugin, 'id' | 'sdk' | 'description'>]?: Exclude<Plugin[K], undefined>
}

/** Declares a plugin: the default export of its package. */
export function definePlugin(spec: PluginSpec): Plugin {
  return {
    config: undefined,
    collections: [],
    events: [],
    tools: [],
    routes: [],
    resources: [],
    prompts: [],
    pages: [],
    overview: [],
    publicFiles: [],
    jobs: [],
    metrics: [],
    commands: [],
    provides: [],
    contributes: [],
    on: [],
    start: undefined,
    stop: undefined,
    ...spec,
  }
}
