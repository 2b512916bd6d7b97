import { contribute, searchSource } from '@gateway/sdk'
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
    async find(query, limit) {
      const { items } = await registry.agents()
      return nearest(query, items, ({ name, description }) => `${name} ${description}`, limit).map(({ name, description }) => ({
        id: name,
        title: name,
        text: description,
        link: { to: '/agents/:name', with: { name } },
      }))
    },
  }),
})

export const skillSearch = contribute(searchSource, {
  uses: { registry },
  create: ({ registry }) => ({
    kind: 'skill',
    names: { fields: ['skill'], list: async (limit) => (await registry.skills()).items.slice(0, limit).map(({ name }) => name) },
    async find(query, limit) {
      const { items } = await registry.skills()
      return nearest(query, items, ({ name, description }) => `${name} ${description}`, limit).map(({ name, description }) => ({
        id: name,
        title: name,
        text: description,
        link: { to: '/agents', with: { search: name } },
      }))
    },
  }),
})
