import { defineTool, listChanged, resourceUpdated } from '@gateway/sdk'
import { watchedResource } from '../resources.ts'
import { nothing, say, shown } from '../shapes.ts'

/** Tools that notify subscribers of a change. No data changes: the suite checks the notification alone. */

const tells = { capability: 'work', effect: 'write', idempotent: true, input: nothing, output: shown } as const

const toolChange = defineTool({
  ...tells,
  name: 'test_trigger_tool_change',
  description: 'Notify subscribers that the list of tools has changed. Returns a sentence.',
  uses: { listChanged },
  async handle(_, { listChanged }) {
    listChanged.emit({ list: 'tools' })
    return say('Told those who listen for tools.')
  },
})

const promptChange = defineTool({
  ...tells,
  name: 'test_trigger_prompt_change',
  description: 'Notify subscribers that the list of prompts has changed. Returns a sentence.',
  uses: { listChanged },
  async handle(_, { listChanged }) {
    listChanged.emit({ list: 'prompts' })
    return say('Told those who listen for prompts.')
  },
})

const resourceChange = defineTool({
  ...tells,
  name: 'test_trigger_resource_change',
  description: 'Notify subscribers that the watched resource was updated. Returns a sentence.',
  uses: { resourceUpdated },
  async handle(_, { resourceUpdated }) {
    resourceUpdated.emit({ uri: watchedResource.uri })
    return say('Told those who watch.')
  },
})

export const changeTools = [toolChange, promptChange, resourceChange]
