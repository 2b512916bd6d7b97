import { defineService, provideProcess } from '@gateway/sdk'
import { config } from '../config.ts'
import { HelperProcess } from '../operations/helper-process.ts'

/** The helper that holds the graphs, once for the process. */
export const graphs = defineService<Pick<HelperProcess, 'ask' | 'pid'>>('code-graph.graphs', 'process')

export const graphsProvider = provideProcess(graphs, {
  uses: { config },
  create: ({ config }): HelperProcess => new HelperProcess(config),
})
