export interface FamilyArea {
  readonly title: string
  readonly description: string
  readonly families: readonly string[]
}

/** The areas that people look for families in; each family is in one. The order of tools is that of `standardPlugins`. */
export const familyAreas: readonly FamilyArea[] = [
  {
    title: 'Work',
    description: 'Tasks and how they are handed out: queue, plans, schedules, mail between agents, claims and reports.',
    families: ['tasks', 'work', 'dispatch', 'mailbox', 'swarms', 'leases', 'backlog', 'plans', 'schedules', 'recurring', 'sweeps', 'trash'],
  },
  {
    title: 'Sessions and runs',
    description: 'State and context that sessions begin with, their records, and the runners that work on tasks.',
    families: ['state', 'context', 'sessions', 'runner', 'runners', 'job-history', 'artifacts', 'fleet'],
  },
  {
    title: 'Knowledge',
    description: 'Memory by words and by meaning, and the versioned brains of tenants.',
    families: ['memory', 'embeddings', 'brain', 'brain-sharing', 'brain-packs', 'brain-hosting'],
  },
  {
    title: 'Code',
    description: 'Repositories, their dependencies and their history.',
    families: ['repos', 'code-graph', 'git'],
  },
  {
    title: 'Agents and models',
    description: 'Definitions of agents and skills, model providers, tools from outside, and ways to find tools.',
    families: ['agents', 'providers', 'model-endpoint', 'connectors', 'plugin-tools', 'marketplace', 'discovery'],
  },
  {
    title: 'Usage and money',
    description: 'Budgets, plans of tenants, consumption of accounts, and the figures of the business.',
    families: ['budgets', 'usage', 'account-usage', 'entitlements', 'gift-codes', 'funnel'],
  },
  {
    title: 'Operation',
    description: 'Health, logs, traces, alerts, events, and calls to the outside.',
    families: ['health', 'slo', 'canary', 'logs', 'traces', 'otlp', 'events', 'notifications', 'webhooks', 'outgoing'],
  },
  {
    title: 'Tenants and people',
    description: 'Tenants and their end, sign-in, authorization of clients, and the dashboard.',
    families: ['tenants', 'tenant-end', 'sign-in', 'oauth', 'dashboard'],
  },
]
