import { closed, defineError, definePlugin, defineTool, type Plugin, type ToolInfo, Type, withContent } from '@gateway/sdk'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import discovery from '../src/index.ts'

const Anything = Type.Object({})
const TooLate = defineError('BOOK_LENT', {
  status: 409,
  description: 'Somebody has the book; wait until it is back.',
  details: Type.Object({ book: Type.String() }),
  message: ({ book }) => `Somebody has ${book}.`,
})
const book = Type.Object({ book: Type.String({ minLength: 1, description: 'Its title.' }) }, closed)

/** Tools to find and to call: one of each effect, of each capability that matters, and of each kind of answer. */
export const library: Plugin = definePlugin({
  id: 'library',
  sdk: '^1.0.0',
  description: 'Lends books.',
  tools: [
    defineTool({
      name: 'book_find',
      description: 'Look a book up by its title. Returns who asks, and as whom.',
      capability: 'read',
      effect: 'read',
      input: book,
      output: Anything,
      handle: async ({ book }, _uses, { tenantId, principal, via }) => ({ book, tenantId, principal: principal.id, via }),
    }),
    defineTool({
      name: 'book_lend',
      description: 'Lend a book to a reader. Returns the book.',
      capability: 'work',
      effect: 'write',
      listing: 'core',
      input: book,
      output: Anything,
      errors: [TooLate],
      async handle({ book }) {
        if (book === 'Emma') throw TooLate({ book })
        return { book }
      },
    }),
    defineTool({
      name: 'book_burn',
      description: 'Destroy a book for good. Returns the book.',
      capability: 'work',
      effect: 'destructive',
      input: book,
      output: Anything,
      handle: async ({ book }) => ({ book }),
    }),
    defineTool({
      name: 'shelf_configure',
      description: 'Set how many books a shelf holds. Returns the shelf.',
      capability: 'configure',
      effect: 'write',
      input: Type.Object({ size: Type.Optional(Type.Integer({ description: 'How many books.' })) }, closed),
      output: Anything,
      handle: async () => ({}),
    }),
    defineTool({
      name: 'cover_show',
      description: 'Show the cover of a book. Returns a picture and its size.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Anything,
      handle: async () => withContent({ width: 1 }, picture),
    }),
    defineTool({
      name: 'cover_only',
      description: 'Show a cover and nothing else. Returns a picture.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Anything,
      handle: async () => withContent({}, picture),
    }),
    defineTool({
      name: 'shelf_broken',
      description: 'Fail like a bug does. Returns nothing.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Anything,
      async handle(): Promise<object> {
        throw new TypeError('a secret of the shelf')
      },
    }),
  ],
})

export const picture = [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] as const

export const start = (options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [library, discovery], ...options })

export function info(name: string, description: string, more: Partial<ToolInfo> = {}): ToolInfo {
  return { name, plugin: name.split('_')[0] ?? name, description, capability: 'read', effect: 'read', input: {}, ...more }
}
