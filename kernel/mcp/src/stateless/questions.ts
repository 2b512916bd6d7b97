import type { InputRequest } from '@gateway/sdk'

export function questionsText(questions: ReadonlyMap<string, InputRequest>): string {
  return JSON.stringify(Object.fromEntries([...questions].map(([key, { method, params }]) => [key, { method, params }])))
}
