import { closed, defineTool, Type, toolbox } from '@gateway/sdk'
import { config } from '../config.ts'
import { brief } from '../operations/brief.ts'
import { checkAgent } from '../operations/check-agent.ts'
import { deliver } from '../operations/deliver.ts'
import { rankRepos } from '../operations/ranking.ts'
import { workIn } from '../operations/work.ts'
import { morningReport } from '../rules/morning-report.ts'
import { Brief, chatId, Delivery, RankedRepo } from '../schema.ts'

const DEFAULT_AGENT = 'project-manager'

export const morningSweep = defineTool({
  name: 'morning_sweep',
  description:
    'Rank the repos by the attention they need, have an agent brief the top ones, and report it in Markdown; with a chat it is sent there too. Returns {report, repos, briefs, delivered}.',
  capability: 'work',
  effect: 'write',
  openWorld: true,
  input: Type.Object(
    {
      topN: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, default: 3, description: 'Number of repos to brief.' })),
      agent: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          default: DEFAULT_AGENT,
          description: 'Agent that briefs, by its name in agents_list.',
        }),
      ),
      chatId: Type.Optional(chatId),
      briefMaxTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_000, default: 600, description: 'Maximum tokens of a brief.' })),
    },
    closed,
  ),
  output: Type.Object({ report: Type.String(), repos: Type.Array(RankedRepo), briefs: Type.Array(Brief), ...Delivery }, closed),
  uses: { tools: toolbox, config },
  async handle({ topN = 3, agent = DEFAULT_AGENT, chatId, briefMaxTokens = 600 }, { tools, config }, ctx) {
    if (agent !== DEFAULT_AGENT) await checkAgent(tools, agent)
    const { work, truncated } = await workIn(tools, ['pending', 'working', 'review', 'blocked', 'dead_letter'])
    const repos = [...(await rankRepos(tools, work))]
    const top = repos.filter(({ score }) => score > 0).slice(0, topN)
    const briefs: Brief[] = []
    for (const repo of top) {
      ctx.progress(briefs.length, top.length, `briefing ${repo.repo}`)
      // An agent that did not answer is not asked again: a model in maintenance is waited for a minute, for each repo again.
      const asked = briefs.at(-1)?.by === 'figures' ? undefined : agent
      briefs.push(await brief(tools, repo, { work, agent: asked, maxTokens: briefMaxTokens }))
    }
    const day = ctx.now().toISOString().slice(0, 10)
    const report = morningReport({ day, repos, briefs, work, truncated })
    const delivery = await deliver(
      tools,
      { title: `Morning report, ${day}`, text: report, chatId, defaultChat: config.chatId },
      ctx.tenantId,
    )
    return { report, repos, briefs, ...delivery }
  },
})
