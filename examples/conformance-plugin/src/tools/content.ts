import { closed, defineError, defineTool, Type } from '@gateway/sdk'
import { png, wav } from '../media.ts'
import { nothing, say, show, shown } from '../shapes.ts'

/** Tools that answer immediately, with each kind of content. */

const reads = { capability: 'read', effect: 'read', output: shown } as const

const simpleText = defineTool({
  ...reads,
  name: 'test_simple_text',
  description: 'Answer with one text. Returns a sentence that is always the same.',
  input: nothing,
  handle: async () => say('A text, and nothing else.'),
})

const imageContent = defineTool({
  ...reads,
  name: 'test_image_content',
  description: 'Answer with a picture. Returns a PNG of one pixel.',
  input: nothing,
  handle: async () => show(png),
})

const audioContent = defineTool({
  ...reads,
  name: 'test_audio_content',
  description: 'Answer with a sound. Returns a WAV too short to hear.',
  input: nothing,
  handle: async () => show(wav),
})

const embeddedResource = defineTool({
  ...reads,
  name: 'test_embedded_resource',
  description: 'Answer with a resource inside the content. Returns a plain text with its URI.',
  input: nothing,
  handle: async () =>
    show({
      type: 'resource',
      resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'The text of a resource that came with an answer.' },
    }),
})

const multipleContentTypes = defineTool({
  ...reads,
  name: 'test_multiple_content_types',
  description: 'Answer with several kinds of content at once. Returns a text, a picture and a resource.',
  input: nothing,
  handle: async () =>
    show({ type: 'text', text: 'A text, a picture and a resource:' }, png, {
      type: 'resource',
      resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' },
    }),
})

const Intended = defineError('CONFORMANCE_INTENDED', {
  status: 422,
  description: 'The tool always refuses, to show how a refusal reaches a client.',
  details: Type.Object({}),
  message: () => 'This tool refuses every call, as it is meant to.',
})

const errorHandling = defineTool({
  ...reads,
  name: 'test_error_handling',
  description: 'Refuse. Returns nothing: each call ends in the same declared error.',
  input: nothing,
  errors: [Intended],
  handle: () => Promise.reject(Intended({})),
})

const greet = defineTool({
  ...reads,
  name: 'greet',
  description: 'Greet someone by name. Returns the greeting, at once and never as a task.',
  input: Type.Object({ name: Type.String({ maxLength: 100, description: 'Name of the person to greet.' }) }, closed),
  handle: async ({ name }) => say(`Hello, ${name}!`),
})

export const contentTools = [simpleText, imageContent, audioContent, embeddedResource, multipleContentTypes, errorHandling, greet]
