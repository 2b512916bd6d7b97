import { agentActivity, contribute } from '@gateway/sdk'
import { messages } from '../collections.ts'
import { mailTo } from '../operations/mail-to.ts'

export const mailToAgents = contribute(agentActivity, { uses: { messages }, create: ({ messages }) => mailTo(messages) })
