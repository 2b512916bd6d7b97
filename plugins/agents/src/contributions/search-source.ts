import { contribute, type FoundItem, searchSource } from '@gateway/sdk'
import { nearest } from '@gateway/sdk/near'
import { registry } from '../api.ts'

/** The registry answers from memory, so all definitions are compared. */
export const agentSearch = contribute(searchSource, {
  uses: { registry },
  create: ({ registry }) => ({
    kind: 'agent',
    names: {
      fields: ['agent', 'assignedAgent'],
      list: async (limit) => (await registry.agents()).items.slice(0, limit).map(({ name }) => name),
    },
    find: async (query, limit) => found(query, (await registry.agents()).items, limit, (name) => ({ to: '/agents/:name', with: { name } })),
  }),
})

export const skillSearch = contribute(searchSource, {
  uses: { registry },
  create: ({ registry }) => ({
    kind: 'skill',
    names: { fields: ['skill'], list: async (limit) => (await registry.skills()).items.slice(0, limit).map(({ name }) => name) },
    find: async (query, limit) =>
      found(query, (await registry.skills()).items, limit, (name) => ({ to: '/agents', with: { search: name } })),
  }),
})

interface Definition {
  readonly name: string
  readonly description: string
}

function found(query: string, all: readonly Definition[], limit: number, linkTo: (name: string) => FoundItem['link']): FoundItem[] {
  return nearest(query, all, ({ name, description }) => `${name} ${description}`, limit).map(({ name, description }) => ({
    id: name,
    title: name,
    text: description,
    link: linkTo(name),
  }))
}
