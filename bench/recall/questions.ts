import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Item {
  readonly id: string
  readonly chunk: { readonly content: string; readonly sessionId?: string; readonly source?: string; readonly repo?: string }
}
export interface Question {
  readonly text: string
  /** Ids of the items that answer it. */
  readonly answers: readonly string[]
  /** Excluded while the ranking was tuned. */
  readonly heldOut: boolean
}
export interface Part {
  readonly name: string
  readonly items: readonly Item[]
  readonly questions: readonly Question[]
}

const QUESTION = /^(h?)\? (.*?)(?: => ([\d ]+))?$/
const lines = (file: string): string[] =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))

/** The development set: dialogues by turn, notes, documents. */
export function developmentSet(): readonly Part[] {
  return [dialogues(), notes(), documents()]
}

function dialogues(): Part {
  const items: Item[] = []
  const questions: Question[] = []
  let session = ''
  let turn = 0
  for (const line of lines('dialogues.txt')) {
    const question = QUESTION.exec(line)
    if (line.startsWith('## ')) {
      session = line.slice(3)
      turn = 0
    } else if (question) {
      const answers = (question[3] as string).split(' ').map((n) => `${session} ${n}`)
      questions.push({ text: question[2] as string, answers, heldOut: question[1] === 'h' })
    } else {
      const day = session.split(', ')[1] as string
      items.push({ id: `${session} ${++turn}`, chunk: { content: `[${day}] ${line}`, sessionId: session } })
    }
  }
  return { name: 'dialogues', items, questions }
}

function notes(): Part {
  const items: Item[] = []
  const questions: Question[] = []
  for (const line of lines('notes.txt')) {
    const question = QUESTION.exec(line)
    if (question) questions.push({ text: question[2] as string, answers: [`note ${items.length}`], heldOut: question[1] === 'h' })
    else {
      const [, source = '', repo = '', content = ''] = /^(\w+) (\w+) \| (.*)$/.exec(line) ?? []
      items.push({ id: `note ${items.length + 1}`, chunk: { content, source, repo } })
    }
  }
  return { name: 'notes', items, questions }
}

function documents(): Part {
  const items: Item[] = []
  const questions: Question[] = []
  let title = ''
  for (const line of lines('documents.txt')) {
    const question = QUESTION.exec(line)
    if (line.startsWith('## ')) title = line.slice(3)
    else if (question) questions.push({ text: question[2] as string, answers: [title], heldOut: question[1] === 'h' })
    else items.push({ id: title, chunk: { content: `${title}\n\n${line}` } })
  }
  return { name: 'documents', items, questions }
}
