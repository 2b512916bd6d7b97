import { definePlugin } from '@gateway/sdk'
import { definitions } from './collections.ts'
import { config } from './config.ts'
import { bootGuidance } from './contributions/boot-section.ts'
import { ownChannels } from './contributions/channels.ts'
import { dispatchedTasks } from './contributions/dispatch-runner.ts'
import { definitionsCheck } from './contributions/doctor-check.ts'
import { agentVariants, skillVariants } from './contributions/prompt-variants.ts'
import { tiers } from './contributions/providers-agent-tiers.ts'
import { agentSchedules } from './contributions/schedules-runner-agents.ts'
import { skillSchedules } from './contributions/schedules-runner-skills.ts'
import { standing } from './contributions/schedules-standing-agents.ts'
import { agentSearch, skillSearch } from './contributions/search-source.ts'
import { sessionMessages } from './contributions/sessions-runner.ts'
import { counts } from './contributions/status-facts.ts'
import { heard } from './listeners/definitions-changed.ts'
import { definitionsChanged } from './operations/events.ts'
import { agentPage } from './pages/agent.ts'
import { agentsPage } from './pages/agents.ts'
import { agentPrompt } from './prompts/agent.ts'
import { skillPrompt } from './prompts/skill.ts'
import { agentResource } from './resources/agent.ts'
import { skillResource } from './resources/skill.ts'
import { agentsActivity } from './routes/activity.ts'
import { channelsList } from './routes/channels-list.ts'
import { agentsGet } from './routes/get.ts'
import { hooksGet } from './routes/hooks-get.ts'
import { hooksList } from './routes/hooks-list.ts'
import { rulesGet } from './routes/rules-get.ts'
import { rulesList } from './routes/rules-list.ts'
import { skillsGet } from './routes/skills-get.ts'
import { libraryProvider } from './services/library.ts'
import { registryProvider } from './services/registry.ts'
import { runnerProvider } from './services/runner.ts'
import { agentsInvoke } from './tools/agents-invoke.ts'
import { agentsList } from './tools/agents-list.ts'
import { skillsInvoke } from './tools/skills-invoke.ts'
import { skillsList } from './tools/skills-list.ts'

/**
 * Specialist agents and skills, with hooks and rules. The life of a definition:
 *
 * 1. written: a Markdown file with front matter, in the bundled set or a folder of `dirs`;
 * 2. read: when a list is requested and a file has changed; a faulty one is left out, with a line in the log;
 * 3. stored: for all tenants and nodes; the copy in memory answers while the store cannot;
 * 4. listed in short form; single ones are whole; what a tenant has installed comes after them, for that tenant alone;
 * 5. invoked: its text and the rules are the system prompt of model calls, which may call the tools it lists, as the caller; each
 *    call is traced, model calls are charged, and reported as they stream;
 * 6. removed with its file.
 */
export default definePlugin({
  id: 'agents',
  sdk: '^1.0.0',
  description: 'Specialist agents and skills that you can ask for work, and hooks and rules for agent clients.',
  config,
  collections: [definitions],
  events: [definitionsChanged],
  on: [heard],
  tools: [agentsList, agentsInvoke, skillsList, skillsInvoke],
  routes: [agentsGet, agentsActivity, skillsGet, hooksList, hooksGet, rulesList, rulesGet, channelsList],
  resources: [agentResource, skillResource],
  prompts: [skillPrompt, agentPrompt],
  provides: [libraryProvider, registryProvider, runnerProvider],
  contributes: [
    agentSearch,
    skillSearch,
    bootGuidance,
    tiers,
    agentSchedules,
    skillSchedules,
    sessionMessages,
    dispatchedTasks,
    standing,
    ownChannels,
    counts,
    definitionsCheck,
    skillVariants,
    agentVariants,
  ],
  pages: [agentsPage, agentPage],
})
