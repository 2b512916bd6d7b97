import { bootSection, contribute } from '@gateway/sdk'
import { messages } from '../collections.ts'

/** Counting stops here: the section is in every agent's context, and beyond this the exact figure says nothing. */
const COUNT_UP_TO = 100

export const operatorMail = contribute(bootSection, {
  uses: { messages },
  create: ({ messages }, ctx) => ({
    title: 'Mail',
    order: 40,
    async render() {
      // A key for one piece of work reads its own mail alone.
      if (ctx.principal.confinedTo !== undefined) return ''
      const unread = await messages.count({ to: 'operator', acked: false }, { max: COUNT_UP_TO })
      if (unread === 0) return ''
      const count = unread === COUNT_UP_TO ? `${COUNT_UP_TO} or more` : String(unread)
      return `Unread messages for \`operator\`: ${count}. Read them with \`mail_inbox\` {"to": "operator"}, then \`mail_ack\` each one handled.`
    },
  }),
})
