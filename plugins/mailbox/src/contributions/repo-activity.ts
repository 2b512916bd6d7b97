import { contribute, repoActivity } from '@gateway/sdk'
import { messages } from '../collections.ts'
import { mailTo } from '../operations/mail-to.ts'

export const mailToRepos = contribute(repoActivity, { uses: { messages }, create: ({ messages }) => mailTo(messages) })
