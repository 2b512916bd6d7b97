import { definePlugin } from '@gateway/sdk'
import { prompts } from './prompts.ts'
import { resources } from './resources.ts'
import { askingTools } from './tools/asking.ts'
import { changeTools } from './tools/changes.ts'
import { contentTools } from './tools/content.ts'
import { jobTools } from './tools/jobs.ts'
import { noticeTools } from './tools/notices.ts'
import { roundTools } from './tools/rounds.ts'
import { headerParameter, jsonSchema } from './tools/schemas.ts'

/** The suite defines the names and URIs. It calls the first tool of the list without arguments, so that one must take none. */
export default definePlugin({
  id: 'conformance',
  sdk: '^1.0.0',
  description: 'Tools, prompts and resources that the official MCP conformance suite expects.',
  tools: [...contentTools, ...noticeTools, ...askingTools, ...roundTools, ...jobTools, ...changeTools, headerParameter, jsonSchema],
  resources,
  prompts,
})
