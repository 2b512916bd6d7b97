import { definePlugin, definePrompt, defineResource, NotFound } from '@gateway/sdk'

const chapters: Readonly<Record<string, string>> = {
  welcome: 'Coffee is on the second floor.',
  deploy: 'Never on a Friday.',
}
const namesLike = async (typed: string) => Object.keys(chapters).filter((name) => name.startsWith(typed))

const chapter = defineResource({
  uri: 'handbook://{chapter}',
  name: 'handbook',
  description: 'A chapter of the handbook.',
  mimeType: 'text/markdown',
  async read({ chapter: name = '' }) {
    const text = Object.hasOwn(chapters, name) ? chapters[name] : undefined
    if (text === undefined) throw NotFound({ what: 'chapter', id: name })
    return [{ uri: `handbook://${name}`, mimeType: 'text/markdown', text }]
  },
  complete: { chapter: namesLike },
})

const explain = definePrompt({
  name: 'explain_chapter',
  description: 'Have a chapter of the handbook explained.',
  arguments: [{ name: 'chapter', description: 'Chapter to explain.', required: true }],
  render: async ({ chapter = '' }) => [{ role: 'user', text: `Explain to a new colleague: ${chapters[chapter] ?? chapter}` }],
  complete: { chapter: namesLike },
})

export default definePlugin({
  id: 'handbook',
  sdk: '^1.0.0',
  description: 'Lets clients read the handbook.',
  resources: [chapter],
  prompts: [explain],
})
