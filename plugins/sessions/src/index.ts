import { definePlugin } from '@gateway/sdk'
import { messages, sessions } from './collections.ts'
import { config } from './config.ts'
import { sessionsOfAgents } from './contributions/agent-activity.ts'
import { sessionsInRepos } from './contributions/repo-activity.ts'
import { retentionByHand } from './contributions/retention-runs.ts'
import { sessionSearch } from './contributions/search-source.ts'
import { sessionFacts } from './contributions/status-facts.ts'
import { retention } from './jobs/retention.ts'
import { sessionPage } from './pages/session.ts'
import { sessionsPage } from './pages/sessions.ts'
import { sessionActivity } from './routes/activity.ts'
import { beginHostSession } from './routes/begin.ts'
import { closeSession } from './routes/close.ts'
import { createSession } from './routes/create.ts'
import { endHostSession } from './routes/end.ts'
import { listSessions } from './routes/list.ts'
import { postMessage } from './routes/post-message.ts'
import { readSession } from './routes/read.ts'
import { recordSessionSteps } from './routes/record-steps.ts'
import { countsProvider } from './services/counts.ts'
import { openSessionsProvider } from './services/open.ts'
import { recorderProvider } from './services/recorder.ts'
import { textsProvider } from './services/texts.ts'
import { sessionExport } from './tools/session-export.ts'
import { sessionImport } from './tools/session-import.ts'
import { sessionRecall } from './tools/session-recall.ts'

/**
 * Conversations with agents. The life of one:
 *
 * 1. begun with an agent, imported as a whole, or recorded, closed, when an agent has run without one;
 * 2. each message is stored before the agent is asked, and ends answered, followed by the answer, or failed, with the reason;
 * 3. closed: it takes no more messages, but can still be read, recalled and exported;
 * 4. removed with its messages, a set number of days after its last one.
 *
 * A session of an agent host is begun by the host's hook, reports its steps, and is ended by the hook, or by the next session in
 * its repo that finds it dead or silent. A step that it reports later brings it back. Other families keep what it learned.
 */
export default definePlugin({
  id: 'sessions',
  sdk: '^1.0.0',
  description: 'Conversations with agents: stored, exported, imported, recalled.',
  config,
  collections: [sessions, messages],
  tools: [sessionExport, sessionImport, sessionRecall],
  routes: [
    listSessions,
    createSession,
    readSession,
    closeSession,
    postMessage,
    beginHostSession,
    recordSessionSteps,
    endHostSession,
    sessionActivity,
  ],
  jobs: [retention],
  provides: [countsProvider, recorderProvider, openSessionsProvider, textsProvider],
  contributes: [sessionSearch, sessionFacts, retentionByHand, sessionsOfAgents, sessionsInRepos],
  pages: [sessionsPage, sessionPage],
})
