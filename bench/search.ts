import type { Plugin, ToolInfo } from '@gateway/sdk'
import { catalogueTools, questions } from '../test/catalogue/catalogue.ts'
import { type Quality, searchQuality } from '../test/catalogue/search-quality.ts'

export interface SearchFigures {
  readonly questions: number
  readonly tools: number
  readonly quality: Quality
}

/**
 * Measures how well agents' questions find their tools in the full catalogue; the tools of these plugins are searched unchanged.
 */
export function measureSearch(plugins: readonly Plugin[]): SearchFigures {
  const existing = plugins.flatMap(({ id, tools }) => tools.map((tool): ToolInfo => ({ ...tool, plugin: id })))
  const tools = catalogueTools(existing)
  return { questions: questions.length, tools: tools.length, quality: searchQuality(tools) }
}
