import { defineResource } from '@gateway/sdk'
import { png } from './media.ts'

const text = 'text/plain'

const staticText = defineResource({
  uri: 'test://static-text',
  name: 'static-text',
  description: 'A text that is always the same.',
  mimeType: text,
  read: async () => [{ uri: 'test://static-text', mimeType: text, text: 'The same text for every reader.' }],
})

const staticBinary = defineResource({
  uri: 'test://static-binary',
  name: 'static-binary',
  description: 'A picture of one pixel.',
  mimeType: png.mimeType,
  read: async () => [{ uri: 'test://static-binary', mimeType: png.mimeType, blob: png.data }],
})

/** Subscribers are notified when `test_trigger_resource_change` is called. */
export const watchedResource = defineResource({
  uri: 'test://watched-resource',
  name: 'watched-resource',
  description: 'A text to subscribe to.',
  mimeType: text,
  read: async () => [{ uri: 'test://watched-resource', mimeType: text, text: 'A text that subscribers watch.' }],
})

const template = defineResource({
  uri: 'test://template/{id}/data',
  name: 'template',
  description: 'Data of an id; every id has some.',
  mimeType: 'application/json',
  read: async ({ id = '' }) => [
    {
      uri: `test://template/${encodeURIComponent(id)}/data`,
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `What belongs to ${id}.` }),
    },
  ],
  complete: { id: async (typed) => ['1', '12', '123'].filter((id) => id.startsWith(typed)) },
})

export const resources = [staticText, staticBinary, watchedResource, template]
