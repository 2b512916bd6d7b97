import { defineService, provideProcess, type ToolInfo } from '@gateway/sdk'
import { ToolIndex } from '../rules/tool-index.ts'

/** The index of each list of tools, built at its first search and kept for as long as the list lives. */
export interface Indexes {
  of(tools: readonly ToolInfo[]): ToolIndex
}
export const indexes = defineService<Indexes>('discovery.indexes', 'process')

export const indexesProvider = provideProcess(indexes, {
  create() {
    const made = new WeakMap<readonly ToolInfo[], ToolIndex>()
    return {
      of(tools) {
        let index = made.get(tools)
        if (!index) made.set(tools, (index = new ToolIndex(tools)))
        return index
      },
    }
  },
})
