import { closed, type RawHttp, Type } from '@gateway/sdk'
import { Session } from '../schema.ts'

const headers = { 'set-cookie': 'The session’s cookie, set or removed.' }

export const sessionAnswer = (status: 200 | 201): RawHttp => ({
  answer: {
    status,
    description: 'Session of the browser.',
    headers,
    content: { 'application/json': Type.Object({ session: Session }, closed) },
  },
})

export const endedAnswer: RawHttp = {
  answer: { status: 200, description: 'The session has ended.', headers, content: { 'application/json': Type.Object({}, closed) } },
}
