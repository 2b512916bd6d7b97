import { definePlugin } from '@gateway/sdk'
import { counts, jobs, rings } from './collections.ts'
import { config } from './config.ts'
import { failedJobs } from './contributions/attention.ts'
import { runsInRepos } from './contributions/repo-activity.ts'
import { runSearch } from './contributions/search-source.ts'
import { jobsPage } from './pages/jobs.ts'
import { jobHistoryRecord } from './tools/job-history-record.ts'
import { jobHistorySearch } from './tools/job-history-search.ts'

export default definePlugin({
  id: 'job-history',
  sdk: '^1.0.0',
  description: 'Outcomes of past task runs, one row for each log file.',
  config,
  collections: [jobs, rings, counts],
  tools: [jobHistoryRecord, jobHistorySearch],
  pages: [jobsPage],
  contributes: [runsInRepos, runSearch, failedJobs],
})
